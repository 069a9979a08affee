import type { ClientSession } from "@acp/core";

import type { Session } from "../agent.ts";
import { showSession } from "./shown-session.ts";

const known = new WeakMap<ClientSession, Session>();

/** Adapts a session of version 1 to this program. */
export function sessionOf(session: ClientSession): Session {
  const wrapped = known.get(session) ?? createSession(session);
  known.set(session, wrapped);
  return wrapped;
}

function createSession(session: ClientSession): Session {
  return {
    id: session.id,
    get isOfAgent() {
      return session.unclaimed;
    },
    signal: session.signal,
    shown: showSession(session),
    prompt(text) {
      const turn = session.prompt(text);
      return { ended: turn.response, cancel: () => turn.cancel() };
    },
    async setMode(modeId) {
      // If an agent has both, options take precedence over modes (CONF-02).
      const option = session.configOptions?.find(({ category }) => category === "mode");
      if (option === undefined) await session.setMode(modeId);
      else await session.setConfigOption(option.id, modeId);
    },
    close: () => session.close(),
  };
}

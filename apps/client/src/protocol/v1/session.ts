import type { ClientSession } from "@acp/core";

import type { Session } from "../agent.ts";
import { say } from "../adapt-agent.ts";
import { withLastUpdates } from "../until-quiet.ts";
import { remember } from "../shown-items.ts";
import { showSession } from "./shown-session.ts";

/** Adapts a session of version 1 to this program. */
export const sessionOf: (session: ClientSession) => Session = remember(createSession);

function createSession(session: ClientSession): Session {
  const shown = showSession(session);
  return {
    id: session.id,
    get isOfAgent() {
      return session.unclaimed;
    },
    signal: session.signal,
    shown,
    prompt(prompt) {
      const since = performance.now();
      const turn = session.prompt(prompt);
      const response = turn.response.then(({ stopReason }) => ({ stopReason, duration: performance.now() - since }));
      const ended = withLastUpdates(response, { shown, signal: session.signal });
      // The caller handles a rejection when it awaits `ended`.
      ended.catch(() => {});
      return { ended, cancel: () => turn.cancel() };
    },
    async setOption({ id }, value) {
      if (id === undefined) await session.setMode(String(value));
      else await session.setConfigOption(id, value);
    },
    steer: (prompt, signal) => say(session, prompt, signal),
    close: () => session.close(),
  };
}

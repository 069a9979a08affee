import { type ClientSession, createClient } from "@acp/core/v2";
import { spawnAgent } from "#runtime";

import type { Cell } from "../cell.ts";
import { askSeveral, type Connected, follow, Gates, type Opened, type Program, spawnOptions } from "./connected.ts";

const setup = { cwd: "/" };

/** Connects with a raw agent of version 2. */
export async function connect2(cell: Cell, program: Program): Promise<Connected> {
  const gates = new Gates();
  const client = createClient({
    info: { name: "attacked", version: "1" },
    capabilities: { elicitation: { form: {} } },
    onDiagnostic: () => {},
    handlers: {
      "session/request_permission": async ({ title, options: [first] }, { agent, signal }) => {
        if (title === "Work") await gates.wait("session/request_permission", agent, signal);
        if (signal.aborted || first === undefined) return { outcome: { outcome: "cancelled" } };
        return { outcome: { outcome: "selected", optionId: first.optionId } };
      },
      "elicitation/create": async (_, { agent, signal }) => {
        await gates.wait("elicitation/create", agent, signal);
        return signal.aborted ? { action: "cancel" } : { action: "accept", content: {} };
      },
      _go: ({ what }: { readonly what: string }) => gates.open(what),
      _ask: ({ count }: { readonly count: number }, { agent }) => askSeveral(count, agent),
    },
  });
  const agent = await spawnAgent(client, spawnOptions(cell, program));
  return {
    authenticate: () => agent.authenticate("login"),
    open: async () => opened(await agent.newSession(setup)),
    load: async () =>
      opened(await agent.resumeSession({ ...setup, sessionId: "loaded", replayFrom: { type: "start" } })),
    close: () => agent.close(),
  };
}

function opened(session: ClientSession): Opened {
  return {
    prompt(text) {
      const turn = session.prompt(text);
      return follow(turn.updates, turn.finished, () => turn.cancel());
    },
    close: () => session.close(),
  };
}

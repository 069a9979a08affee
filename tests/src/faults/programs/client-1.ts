import { type ClientSession, createClient } from "@acp/core";
import { spawnAgent } from "#runtime";

import type { Cell } from "../cell.ts";
import { askSeveral, type Connected, follow, Gates, type Opened, type Program, spawnOptions } from "./connected.ts";

const setup = { cwd: "/" };

/** Connects with a raw agent of version 1. */
export async function connect1(cell: Cell, program: Program): Promise<Connected> {
  const gates = new Gates();
  const client = createClient({
    info: { name: "attacked", version: "1" },
    onDiagnostic: () => {},
    handlers: {
      "session/request_permission": async ({ options: [first] }, { agent, signal }) => {
        await gates.wait("session/request_permission", agent, signal);
        if (signal.aborted || first === undefined) return { outcome: { outcome: "cancelled" } };
        return { outcome: { outcome: "selected", optionId: first.optionId } };
      },
      "fs/read_text_file": async ({ path }, { agent, signal }) => {
        if (path === "/work") await gates.wait("fs/read_text_file", agent, signal);
        return { content: "text" };
      },
      _go: ({ what }: { readonly what: string }) => gates.open(what),
      _ask: ({ count }: { readonly count: number }, { agent }) => askSeveral(count, agent),
    },
  });
  const agent = await spawnAgent(client, spawnOptions(cell, program));
  return {
    authenticate: () => agent.authenticate("login"),
    open: async () => opened(await agent.newSession(setup)),
    load: async () => opened(await agent.loadSession({ ...setup, sessionId: "loaded" })),
    close: () => agent.close(),
  };
}

function opened(session: ClientSession): Opened {
  return {
    prompt(text) {
      const turn = session.prompt(text);
      return follow(turn.updates, turn.response, () => turn.cancel());
    },
    close: () => session.close(),
  };
}

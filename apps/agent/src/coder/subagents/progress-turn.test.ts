import type { AnyTurn } from "@acp/ai";
import { askPermission } from "@acp/core/agent";
import * as v1 from "@acp/core";
import * as v2 from "@acp/core/v2";
import { askPermission as askPermission2 } from "@acp/core/v2/agent";
import { expect, test } from "vitest";

import { connect } from "../testing/connect.ts";
import { createProgressTurn } from "./progress-turn.ts";

const info = { name: "test", version: "1.0.0" };

/** Reads something that the user has to allow, as a tool of an MCP server may. Returns whether it was allowed. */
async function readWithPermission(turn: AnyTurn, shown: string[]): Promise<boolean> {
  const own = createProgressTurn(turn, { show: (text) => Promise.resolve(void shown.push(text)) }, turn.signal);
  const read = { title: "Read the mail", kind: "read", toolCallId: "read" } as const;
  if ("requestPermission" in own) {
    const call = await own.toolCall(read);
    const { allowed } = await askPermission2(call);
    await call.complete("A letter");
    return allowed;
  }
  const call = await own.toolCall(read);
  const { allowed } = await askPermission(call);
  await call.complete("A letter");
  return allowed;
}

test.each([1, 2] as const)("a quiet call that needs a permission is shown, in version %i", async (version) => {
  const shown: string[] = [];
  const results: boolean[] = [];
  const handle = async (turn: AnyTurn): Promise<{ stopReason: "end_turn" }> => {
    results.push(await readWithPermission(turn, shown));
    return { stopReason: "end_turn" };
  };
  const agent =
    version === 1
      ? v1.createAgent({ info, handlers: { "session/prompt": (_, { turn }) => handle(turn) } })
      : v2.createAgent({ info, handlers: { "session/prompt": (_, { turn }) => handle(turn) } });
  const client = await connect(version, agent, { cwd: import.meta.dirname, answer: () => "allow_once" });
  const session = await client.newSession();
  await session.prompt("Go");
  expect(results).toEqual([true]);
  expect(client.questions).toEqual(["Read the mail"]);
  expect(session.shown("tool_call")).toMatchObject([{ title: "Read the mail", status: "completed" }]);
  expect(shown).toEqual(["Read the mail", "✓ Read the mail"]);
});

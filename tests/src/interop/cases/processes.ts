import { deepStrictEqual as equal, ok } from "node:assert";

import { eventually } from "../eventually.ts";
import { failureOf } from "../failure.ts";
import { type InteropCase, test } from "../interop-case.ts";
import { at } from "../json.ts";
import { say } from "./steps.ts";

/** What happens around the messages: noise, and the end of a process. */
export const processCases: readonly InteropCase[] = [
  test(
    "TRAN-10: an agent ends by itself when its client closes the connection",
    { apart: true },
    async ({ newSession, play }) => void (await play(await newSession(), [say("a")])),
  ),
  test("TRAN-06: lines that an agent prints do not disturb the turn", async ({ newSession, play }) => {
    const steps = [say("a"), { print: "careless\n" }, say("b"), { print: '["json"]\n{"a":1}\n\n' }, say("c")];
    const turn = await play(await newSession(), steps);
    equal(
      turn.updates.map((update) => at(update, "content", "text")),
      ["a", "b", "c"],
    );
  }),
  test(
    "a turn fails when the agent's process ends, and so does every call after it",
    { apart: true, exitCode: 7 },
    async ({ client, clientSdk, newSession, play }) => {
      const sessionId = await newSession();
      const { code } = await failureOf(play(sessionId, [say("last words"), { sleep: 20 }, { exit: 7 }]));
      if (clientSdk === "toolkit") equal(code, "process_exited");
      await client.closed;
      equal(
        client.record.updatesOf(sessionId).map((update) => at(update, "content", "text")),
        ["last words"],
      );
      ok(await failureOf(client.call("session/list", {})));
    },
  ),
  test(
    "TRAN-10: an agent in the middle of a turn ends when its client goes",
    { apart: true },
    async ({ client, newSession, play }) => {
      const sessionId = await newSession();
      void play(sessionId, [say("working"), { work: true }]).catch(() => {});
      await eventually(() => client.record.updatesOf(sessionId)[0], "the turn runs");
    },
  ),
];

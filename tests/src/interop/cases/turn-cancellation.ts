import { deepStrictEqual as equal, ok } from "node:assert";

import { eventually } from "../eventually.ts";
import { type InteropCase, test } from "../interop-case.ts";
import { at } from "../json.ts";
import { aborted } from "../../support/aborted.ts";
import { askPermission, cancelledOutcome, say, textOf } from "./steps.ts";

/** `session/cancel`, at every step of a turn. */
export const turnCancellationCases: readonly InteropCase[] = [
  test("CANC-07: updates sent after session/cancel come before the answer", async ({ newSession, play }) => {
    const steps = [
      say("before"),
      { awaitCancel: true },
      say("after 1"),
      say("after 2"),
      { stop: "cancelled" },
    ] as const;
    const turn = await play(await newSession(), steps, { cancel: AbortSignal.timeout(50) });
    equal(turn.stopReason, "cancelled");
    equal(turn.updates.map(textOf), ["before", "after 1", "after 2"]);
  }),
  test("CANC-01: a turn cancelled the moment it is sent", async ({ newSession, play }) => {
    const cancelling = new AbortController();
    const turn = play(await newSession(), [{ work: true }], { cancel: cancelling.signal });
    cancelling.abort();
    equal((await turn).stopReason, "cancelled");
  }),
  test("CANC-03: a permission request that waits for the user is answered cancelled", async ({
    client,
    clientSdk,
    newSession,
    play,
  }) => {
    const cancelling = new AbortController();
    client.record.answer("session/request_permission", async (_, signal) => {
      cancelling.abort();
      // This toolkit answers by itself; with the official SDK that is the author's work.
      await (clientSdk === "toolkit" ? aborted(signal) : aborted(cancelling.signal));
      return cancelledOutcome;
    });
    const steps = [askPermission, { awaitCancel: true }, { stop: "cancelled" }] as const;
    const turn = await play(await newSession(), steps, { cancel: cancelling.signal });
    equal(turn.stopReason, "cancelled");
    equal(turn.results, [{ result: cancelledOutcome }]);
  }),
  test("PERM-07: a permission request that comes after session/cancel is answered cancelled", async ({
    client,
    clientSdk,
    newSession,
    play,
  }) => {
    const cancelling = new AbortController();
    let asked = 0;
    client.record.answer("session/request_permission", () => {
      asked += 1;
      return cancelledOutcome;
    });
    const steps = [{ awaitCancel: true }, askPermission, { stop: "cancelled" }] as const;
    const running = play(await newSession(), steps, { cancel: cancelling.signal });
    setTimeout(() => cancelling.abort(), 50);
    const turn = await running;
    equal(turn.stopReason, "cancelled");
    equal(turn.results, [{ result: cancelledOutcome }]);
    // This toolkit does not even ask.
    if (clientSdk === "toolkit") equal(asked, 0);
  }),
  test("CANC-05: a question that waits for the user does not keep a cancelled turn from its end", async ({
    client,
    clientSdk,
    newSession,
    play,
  }) => {
    const cancelling = new AbortController();
    client.record.answer("elicitation/create", async (_, signal) => {
      cancelling.abort();
      // This toolkit tells the handler; with the official SDK that is the author's work.
      await (clientSdk === "toolkit" ? aborted(signal) : aborted(cancelling.signal));
      return { action: "cancel" };
    });
    const params = { mode: "form", message: "Who?", requestedSchema: { type: "object", properties: {} } };
    const steps = [{ call: "elicitation/create", params }, { awaitCancel: true }, { stop: "cancelled" }] as const;
    const turn = await play(await newSession(), steps, { cancel: cancelling.signal });
    equal([turn.stopReason, turn.results], ["cancelled", [{ result: { action: "cancel" } }]]);
  }),
  test("CANC-09: a turn cancelled while a file is read takes the answer that comes later", async ({
    client,
    newSession,
    play,
  }) => {
    const cancelling = new AbortController();
    client.record.answer("fs/read_text_file", async () => {
      cancelling.abort();
      return { content: "late" };
    });
    const steps = [
      { call: "fs/read_text_file", params: { path: "/project/a.txt" } },
      { awaitCancel: true },
      { stop: "cancelled" },
    ] as const;
    const turn = await play(await newSession(), steps, { cancel: cancelling.signal });
    equal([turn.stopReason, turn.results], ["cancelled", [{ result: { content: "late" } }]]);
  }),
  test("TERM-08: a terminal is released after the turn was cancelled", async ({
    client,
    newSession,
    directory,
    play,
  }) => {
    const cancelling = new AbortController();
    const sessionId = await newSession();
    const steps = [
      { call: "terminal/create", params: { command: "sleep", args: ["60"], cwd: directory } },
      say("running"),
      { awaitCancel: true },
      { call: "terminal/kill", params: { terminalId: "$terminal" } },
      { call: "terminal/wait_for_exit", params: { terminalId: "$terminal" } },
      { call: "terminal/release", params: { terminalId: "$terminal" } },
      { stop: "cancelled" },
    ] as const;
    const running = play(sessionId, steps, { cancel: cancelling.signal });
    await eventually(() => client.record.updatesOf(sessionId)[0], "the terminal runs");
    cancelling.abort();
    const turn = await running;
    equal(turn.stopReason, "cancelled");
    equal(
      turn.results.map((result) => "failure" in result),
      [false, false, false, false],
    );
    ok(["SIGTERM", "SIGKILL"].includes(String(at(turn.results[2], "result", "signal"))));
  }),
  test("CANC-05: a handler that says end_turn after the cancel (by the toolkit's agent; the official SDK's says so, too)", async ({
    newSession,
    play,
    agentSdk,
  }) => {
    const turn = await play(await newSession(), [{ awaitCancel: true }], { cancel: AbortSignal.timeout(30) });
    equal(turn.stopReason, agentSdk === "official" ? "end_turn" : "cancelled");
  }),
  test("CANC-10: session/cancel without a turn is ignored, and so is one too many", async ({
    client,
    newSession,
    play,
  }) => {
    const sessionId = await newSession();
    await client.notify("session/cancel", { sessionId });
    equal((await play(sessionId, [say("a")])).stopReason, "end_turn");
    await client.notify("session/cancel", { sessionId });
    await client.notify("session/cancel", { sessionId });
    equal((await play(sessionId, [say("b"), { sleep: 50 }])).stopReason, "end_turn");
  }),
  test("SESS-03: cancelling a turn leaves the turn of another session alone", async ({ newSession, play }) => {
    const [one, other] = [await newSession(), await newSession()];
    const turns = await Promise.all([
      play(one, [{ work: true }], { cancel: AbortSignal.timeout(50) }),
      play(other, [{ sleep: 150 }, say("done")]),
    ]);
    equal(
      turns.map(({ stopReason }) => stopReason),
      ["cancelled", "end_turn"],
    );
  }),
  test("SESS-15: session/close cancels the turn that runs", async ({ client, newSession, play }) => {
    const sessionId = await newSession();
    const turn = play(sessionId, [say("working"), { work: true }]);
    await eventually(() => client.record.updatesOf(sessionId)[0], "the turn runs");
    equal(await client.call("session/close", { sessionId }), {});
    equal((await turn).stopReason, "cancelled");
  }),
  test("PROM-14: a turn after a cancelled one", async ({ newSession, play }) => {
    const sessionId = await newSession();
    await play(sessionId, [{ work: true }], { cancel: AbortSignal.timeout(20) });
    equal((await play(sessionId, [say("again")])).updates.map(textOf), ["again"]);
  }),
];

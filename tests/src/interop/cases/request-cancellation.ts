import { deepStrictEqual as equal } from "node:assert";

import { desk } from "../agent-desk.ts";
import { eventually } from "../eventually.ts";
import { failureOf } from "../failure.ts";
import { type CaseContext, type InteropCase, test } from "../interop-case.ts";
import { at } from "../json.ts";
import { aborted } from "../../support/aborted.ts";
import { askPermission, cancelledOutcome, say, textOf } from "./steps.ts";

/** `$/cancel_request`, both ways. */
export const requestCancellationCases: readonly InteropCase[] = [
  test("RCAN-04/agent: the client takes a request back by $/cancel_request", async (context) => {
    const { client, arrange } = context;
    await arrange("session/list", { hang: true });
    await takenBack(context, "session/list", (signal) => client.call("session/list", {}, { signal }));
    await eventuallyLogged(context, "session/list was cancelled");
  }),
  test("RCAN-04/agent: the client takes a prompt back by $/cancel_request", async (context) => {
    const sessionId = await context.newSession();
    const prompt = [{ type: "text", text: JSON.stringify([{ work: true }]) }];
    const params = { sessionId, prompt };
    await takenBack(context, "session/prompt", (signal) => context.client.call("session/prompt", params, { signal }));
    equal((await context.play(sessionId, [say("on")])).updates.map(textOf), ["on"]);
  }),
  ...["session/new", "session/load", "session/resume", "authenticate"].map((method) =>
    test(`RCAN-04/agent: the client takes ${method} back by $/cancel_request`, async (context) => {
      const { client, arrange } = context;
      await arrange(method, { hang: true });
      const params = { cwd: "/project", mcpServers: [], sessionId: `taken-${method}`, methodId: "key" };
      await takenBack(context, method, (signal) => client.call(method, params, { signal }));
      await eventuallyLogged(context, `${method} was cancelled`);
      // The same call goes through the next time.
      await client.call(method, params);
    }),
  ),
  test("RCAN-04/client: the agent takes a question back by $/cancel_request", async ({
    client,
    agentSdk,
    newSession,
    play,
  }) => {
    client.record.answer("elicitation/create", async (_, signal) => {
      await client.notify(desk.note, {});
      await aborted(signal);
      return { action: "cancel" };
    });
    const params = { mode: "form", message: "Who?", requestedSchema: { type: "object", properties: {} } };
    const call = { call: "elicitation/create", params, cancel: "noted" } as const;
    const { results } = await play(await newSession(), [call]);
    if (agentSdk === "official") equal(results, [{ result: { action: "cancel" } }]);
    else equal(at(results[0], "failure", "code"), "NotedError");
  }),
  test("RCAN-04/client: the agent takes a request back by $/cancel_request", async ({
    client,
    agentSdk,
    newSession,
    play,
  }) => {
    client.record.answer("fs/read_text_file", async (_, signal) => {
      await client.notify(desk.note, {});
      await aborted(signal);
      throw new DOMException("The request was cancelled", "AbortError");
    });
    const call = { call: "fs/read_text_file", params: { path: "/project/a.txt" }, cancel: "noted" } as const;
    const { results } = await play(await newSession(), [call]);
    // The official SDK waits for the peer's answer; this toolkit rejects at once with the signal's reason.
    equal(at(results[0], "failure", "code"), agentSdk === "official" ? -32800 : "NotedError");
    equal(client.record.paramsOf("$/cancel_request").length, 1);
  }),
  test("RCAN-04/client: a permission request that the agent cancels may be answered cancelled", async ({
    client,
    agentSdk,
    newSession,
    play,
  }) => {
    client.record.answer("session/request_permission", async (_, signal) => {
      await client.notify(desk.note, {});
      await aborted(signal);
      return cancelledOutcome;
    });
    const { results } = await play(await newSession(), [{ ...askPermission, cancel: "noted" }]);
    if (agentSdk === "official") equal(results, [{ result: cancelledOutcome }]);
    else equal(at(results[0], "failure", "code"), "NotedError");
  }),
  test("RCAN-04/client: a client that answers in spite of the cancel answers once", async ({
    client,
    agentSdk,
    newSession,
    play,
  }) => {
    client.record.answer("fs/read_text_file", async (_, signal) => {
      await client.notify(desk.note, {});
      await aborted(signal);
      return { content: "all the same" };
    });
    const call = { call: "fs/read_text_file", params: { path: "/project/a.txt" }, cancel: "noted" } as const;
    const turn = await play(await newSession(), [call, { call: desk.echo, params: {} }, say("on")]);
    if (agentSdk === "official") equal(turn.results[0], { result: { content: "all the same" } });
    else equal(at(turn.results[0], "failure", "code"), "NotedError");
    equal(turn.results.slice(1), [{ result: {} }]);
    equal(turn.updates.map(textOf), ["on"]);
  }),
  test("RCAN-07: $/cancel_request of ids that nobody uses is ignored, both ways", async ({
    client,
    newSession,
    play,
  }) => {
    for (const requestId of [4711, "none", null]) {
      // oxlint-disable-next-line no-await-in-loop
      await client.notify("$/cancel_request", { requestId });
    }
    const notes = [4711, "none", null].map((requestId) => ({ notify: "$/cancel_request", params: { requestId } }));
    equal((await play(await newSession(), [...notes, say("on")])).updates.map(textOf), ["on"]);
  }),
];

/** Takes a call back once the agent's handler runs. */
async function takenBack(
  context: CaseContext,
  method: string,
  call: (signal: AbortSignal) => Promise<unknown>,
): Promise<void> {
  const takingBack = new AbortController();
  const failure = failureOf(call(takingBack.signal));
  await eventuallyLogged(context, method);
  takingBack.abort(new DOMException("Taken back by the row", "TimeoutError"));
  // The official SDK waits for the peer's answer; this toolkit rejects at once with the signal's reason.
  equal((await failure).code, context.clientSdk === "official" ? -32800 : "TimeoutError");
}

async function eventuallyLogged({ agentLog }: CaseContext, method: string): Promise<void> {
  await eventually(async () => (await agentLog()).find((entry) => entry.method === method), `${method} is logged`);
}

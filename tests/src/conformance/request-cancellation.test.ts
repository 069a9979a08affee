import { describe, expect, test } from "vitest";

import { rawAgent, rawClient } from "./harness/connect.ts";
import { agentThat, clientWith } from "./harness/definitions.ts";

const permission = { toolCall: { toolCallId: "call" }, options: [] };

/** A handler that works until it is told to stop, and notes that it was. */
function untilAborted(stopped: string[]) {
  return (_: unknown, { signal }: { readonly signal: AbortSignal }): Promise<never> =>
    new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => {
        stopped.push("stopped");
        reject(signal.reason as Error);
      });
    });
}

describe("an agent", () => {
  test("RCAN-01, RCAN-05: cancels a request of its own, and copes with the late answer", async () => {
    const peer = await rawClient(
      agentThat(async (_, { client }) => {
        const stop = new AbortController();
        const asked = client.request("_ask", {}, { signal: stop.signal });
        stop.abort();
        await asked.catch(() => {});
        return { stopReason: "end_turn" };
      }),
    );
    const prompt = peer.startPrompt(await peer.open());
    const request = await peer.next("_ask");
    expect((await peer.next("$/cancel_request")).params).toEqual({ requestId: request.id });
    expect((await peer.answerTo(prompt)).result).toEqual({ stopReason: "end_turn" });
    peer.reply(request, "late");
    await peer.settle();
    expect(peer.diagnostics.map(({ type }) => type)).toEqual(["late-response", "unknown-request"]);
  });

  test("RCAN-02, RCAN-04: ends the work on a request that is cancelled, and answers it once", async () => {
    const stopped: string[] = [];
    const peer = await rawClient(agentThat(undefined, { _work: untilAborted(stopped) }));
    await peer.initialize();
    const id = peer.request("_work", {});
    for (const _twice of [1, 2]) peer.notify("$/cancel_request", { requestId: id });
    expect((await peer.answerTo(id)).error?.code).toBe(-32800);
    await peer.settle();
    expect([stopped, peer.answers(id).length]).toEqual([["stopped"], 1]);
  });

  test("RCAN-02: ends a prompt's work when the prompt is cancelled", async () => {
    const peer = await rawClient(
      agentThat(async (_, { client, signal }) => {
        await client.request("session/request_permission", permission, { signal });
        return { stopReason: "end_turn" };
      }),
    );
    const prompt = peer.startPrompt(await peer.open());
    const question = await peer.next("session/request_permission");
    peer.notify("$/cancel_request", { requestId: prompt });
    expect((await peer.next("$/cancel_request")).params).toEqual({ requestId: question.id });
    expect((await peer.answerTo(prompt)).error?.code).toBe(-32800);
  });

  test("RCAN-03: may send updates before it answers a prompt that is cancelled", async () => {
    const peer = await rawClient(
      agentThat(async (_, { turn, signal }) => {
        await turn.message("working");
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        await turn.message("stopping");
        signal.throwIfAborted();
        return { stopReason: "end_turn" };
      }),
    );
    const prompt = peer.startPrompt(await peer.open());
    await peer.next("session/update");
    peer.notify("$/cancel_request", { requestId: prompt });
    const answer = await peer.answerTo(prompt);
    expect([peer.updates.length, answer.error?.code]).toEqual([2, -32800]);
    expect(peer.received.at(-1)).toBe(answer);
  });

  test("RCAN-04: may answer a request with a result when the cancel comes too late", async () => {
    const peer = await rawClient(agentThat(undefined, { _partial: () => ({ part: 1 }) }));
    await peer.initialize();
    const id = peer.request("_partial", {});
    peer.notify("$/cancel_request", { requestId: id });
    await peer.settle();
    expect(peer.answers(id)).toMatchObject([{ result: { part: 1 } }]);
  });

  test("RCAN-06: answers -32800 when it ends the work itself, on its way out", async () => {
    const stopped: string[] = [];
    const peer = await rawClient(agentThat(undefined, { _work: untilAborted(stopped) }));
    await peer.initialize();
    const id = peer.request("_work", {});
    await peer.settle();
    peer.end();
    expect((await peer.answerTo(id)).error?.code).toBe(-32800);
    expect(stopped).toEqual(["stopped"]);
  });

  test("RCAN-07: ignores notifications of the protocol level that it does not know", async () => {
    const peer = await rawClient(agentThat());
    await peer.initialize();
    peer.notify("$/progress", { requestId: 1 });
    peer.notify("$/cancel_request", { requestId: "nobody's" });
    await peer.settle();
    expect(peer.received).toHaveLength(2);
  });

  test.each([
    ["the outcome cancelled", { result: { outcome: { outcome: "cancelled" } } }],
    ["-32800", { error: { code: -32800, message: "Request cancelled" } }],
  ])("RCAN-08: cancels its question when its turn is cancelled, and accepts %s", async (_what, answer) => {
    const peer = await rawClient(
      agentThat(async (_, { client, signal }) => {
        await client.request("session/request_permission", permission, { signal });
        return { stopReason: "end_turn" };
      }),
    );
    const sessionId = await peer.open();
    const prompt = peer.startPrompt(sessionId);
    const question = await peer.next("session/request_permission");
    peer.notify("session/cancel", { sessionId });
    expect((await peer.next("$/cancel_request")).params).toEqual({ requestId: question.id });
    peer.send({ id: question.id, ...answer });
    expect((await peer.answerTo(prompt)).result).toEqual({ stopReason: "cancelled" });
    expect((await peer.call("_still_there")).error?.code).toBe(-32601);
  });
});

describe("a client", () => {
  test("RCAN-01, RCAN-05: cancels a request of its own, and copes with the late answer", async () => {
    const { peer, agent, diagnostics } = await rawAgent(clientWith());
    const stop = new AbortController();
    const asked = agent.request("_ask", {}, { signal: stop.signal });
    const request = await peer.next("_ask");
    stop.abort(new Error("no longer needed"));
    await expect(asked).rejects.toThrow("no longer needed");
    expect((await peer.next("$/cancel_request")).params).toEqual({ requestId: request.id });
    peer.reply(request, "late");
    await peer.settle();
    expect(diagnostics.map(({ type }) => type)).toEqual(["late-response", "unknown-request"]);
  });

  test("RCAN-02, RCAN-04: ends the work on a request that is cancelled, and answers it once", async () => {
    const stopped: string[] = [];
    const { peer } = await rawAgent(clientWith({ _work: untilAborted(stopped) }));
    const id = peer.request("_work", {});
    for (const _twice of [1, 2]) peer.notify("$/cancel_request", { requestId: id });
    expect((await peer.answerTo(id)).error?.code).toBe(-32800);
    await peer.settle();
    expect([stopped, peer.answers(id).length]).toEqual([["stopped"], 1]);
  });

  test("RCAN-03: may notify its agent before it answers a cancelled request", async () => {
    const { peer } = await rawAgent(
      clientWith({
        _work: async (_: unknown, { agent, signal }) => {
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
          await agent.notify("_stopping", {});
          signal.throwIfAborted();
        },
      }),
    );
    const id = peer.request("_work", {});
    peer.notify("$/cancel_request", { requestId: id });
    const answer = await peer.answerTo(id);
    expect(peer.received.slice(-2)).toEqual([peer.calls("_stopping")[0], answer]);
  });

  test("RCAN-06: answers -32800 when it ends the work itself, on its way out", async () => {
    const stopped: string[] = [];
    const { peer, agent } = await rawAgent(clientWith({ _work: untilAborted(stopped) }));
    const id = peer.request("_work", {});
    await peer.settle();
    const closing = agent.close();
    expect((await peer.answerTo(id)).error?.code).toBe(-32800);
    await closing;
    expect(stopped).toEqual(["stopped"]);
  });

  test("RCAN-07: ignores notifications of the protocol level that it does not know", async () => {
    const { peer } = await rawAgent(clientWith());
    const before = peer.received.length;
    peer.notify("$/progress", { requestId: 1 });
    peer.notify("$/cancel_request", { requestId: "nobody's" });
    await peer.settle();
    expect(peer.received).toHaveLength(before + 1);
  });
});

import { describe, expect, test } from "vitest";

import { collect } from "./harness/collect.ts";
import { rawAgent, rawClient } from "./harness/connect.ts";
import { agentThat, clientWith } from "./harness/definitions.ts";
import { aborted } from "../support/aborted.ts";

const cancelled = { stopReason: "cancelled" } as const;
const permission = { toolCall: { toolCallId: "call" }, options: [{ optionId: "a", name: "A", kind: "allow_once" }] };

/** Settles when it aborts. */
describe("an agent", () => {
  test("CANC-04: has the signal of its turn aborted by session/cancel, and that of its tools with it", async () => {
    const ended: string[] = [];
    const peer = await rawClient(
      agentThat(async (_, { turn, client, signal }) => {
        const call = await turn.toolCall({ title: "Long work" });
        await Promise.all([
          aborted(signal).then(() => ended.push("model")),
          client.request("_tool", {}, { signal }).catch(() => ended.push("tool")),
        ]);
        await call.fail("stopped");
        return { stopReason: "end_turn" };
      }),
    );
    const sessionId = await peer.open();
    const prompt = peer.startPrompt(sessionId);
    const tool = await peer.next("_tool");
    peer.notify("session/cancel", { sessionId });
    expect((await peer.next("$/cancel_request")).params).toEqual({ requestId: tool.id });
    // The tool has not been answered, and the turn ends all the same.
    await peer.answerTo(prompt);
    expect(ended.toSorted()).toEqual(["model", "tool"]);
  });

  test("CANC-05, CANC-07, CANC-08: may still send updates, and then answers cancelled", async () => {
    const peer = await rawClient(
      agentThat(async (_, { turn, signal }) => {
        await turn.message("working");
        await aborted(signal);
        await turn.message("tidying up");
        return cancelled;
      }),
    );
    const sessionId = await peer.open();
    const prompt = peer.startPrompt(sessionId);
    await peer.next("session/update");
    peer.notify("session/cancel", { sessionId });
    const answer = await peer.answerTo(prompt);
    expect(answer.result).toEqual(cancelled);
    expect(peer.updates.map(({ content }) => (content as { text: string }).text)).toEqual(["working", "tidying up"]);
    expect(peer.received.at(-1)).toBe(answer);
  });

  test.each([
    ["the reason of the signal", async (signal: AbortSignal) => signal.throwIfAborted()],
    ["an error of its own", () => Promise.reject(new Error("socket hang up"))],
    ["an AbortError of a library", () => Promise.reject(new DOMException("aborted", "AbortError"))],
  ])("CANC-06, ERR-10: answers cancelled when %s is thrown over a cancel", async (_what, fail) => {
    const peer = await rawClient(
      agentThat(async (_, { signal, turn }) => {
        await turn.message("working");
        await aborted(signal);
        await fail(signal);
        return { stopReason: "end_turn" };
      }),
    );
    const sessionId = await peer.open();
    const prompt = peer.startPrompt(sessionId);
    await peer.next("session/update");
    peer.notify("session/cancel", { sessionId });
    expect(await peer.answerTo(prompt)).toMatchObject({ result: cancelled });
  });

  test("CANC-10: ignores a cancel for a session in which nothing runs", async () => {
    const peer = await rawClient(agentThat());
    const sessionId = await peer.open();
    for (const id of [sessionId, "nobody's"]) peer.notify("session/cancel", { sessionId: id });
    expect((await peer.prompt(sessionId)).result).toEqual({ stopReason: "end_turn" });
    expect([peer.received.length, peer.diagnostics]).toEqual([3, []]);
  });
});

describe("a client", () => {
  test("CANC-01: cancels by a notification, at any time", async () => {
    const { peer, agent } = await rawAgent(clientWith());
    const session = await agent.newSession({ cwd: "/project" });
    for (const when of ["at once", "after an update"]) {
      const turn = session.prompt("hi");
      const prompt = when === "at once" ? undefined : await peer.next("session/prompt");
      turn.cancel();
      const cancel = await peer.next("session/cancel");
      expect([cancel.id, cancel.params]).toEqual([undefined, { sessionId: session.id }]);
      peer.reply(prompt ?? (await peer.next("session/prompt")), cancelled);
      expect(await turn.response).toEqual(cancelled);
    }
  });

  test("CANC-03, PERM-07, ERR-10: answers open permission requests with the outcome cancelled", async () => {
    const { peer, agent } = await rawAgent(clientWith({ "session/request_permission": () => new Promise(() => {}) }));
    const session = await agent.newSession({ cwd: "/project" });
    const turn = session.prompt("hi");
    const prompt = await peer.next("session/prompt");
    const questions = [1, 2].map(() =>
      peer.request("session/request_permission", { sessionId: session.id, ...permission }),
    );
    turn.cancel();
    await peer.next("session/cancel");
    // One that the agent asked before it heard of the cancel.
    questions.push(peer.request("session/request_permission", { sessionId: session.id, ...permission }));
    for (const id of questions) expect((await peer.answerTo(id)).result).toEqual({ outcome: { outcome: "cancelled" } });
    peer.reply(prompt, cancelled);
    expect(await turn.response).toEqual(cancelled);
  });

  test("CANC-09: takes updates after its cancel, of tool calls as well", async () => {
    const { peer, agent } = await rawAgent(clientWith());
    const session = await agent.newSession({ cwd: "/project" });
    const turn = session.prompt("hi");
    const prompt = await peer.next("session/prompt");
    turn.cancel();
    await peer.next("session/cancel");
    const update = { sessionUpdate: "tool_call_update", toolCallId: "call", status: "failed" };
    peer.notify("session/update", { sessionId: session.id, update });
    peer.reply(prompt, cancelled);
    expect(await collect(turn.updates)).toEqual([update]);
  });
});

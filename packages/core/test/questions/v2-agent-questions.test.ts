// Questions to the user: what the session is doing meanwhile, and what a cancel makes of them.
import { describe, expect, test } from "vitest";
import type { AgentTurn } from "../../src/v2/agent-turn.ts";
import { connectWire, type WireClient } from "../support/v2-wire.ts";

const end = { stopReason: "end_turn" } as const;
const allow = { outcome: { outcome: "selected", optionId: "allow" } };

/** An agent that asks for permission, and says what came of it. */
function asking(more: object = {}): Promise<WireClient> {
  return connectWire({
    "session/prompt": async (_params, { turn }) => {
      const call = await turn.toolCall({ title: "Delete all" });
      const outcome = await call.requestPermission();
      await turn.message(outcome.outcome === "selected" ? outcome.optionId : "cancelled");
      return end;
    },
    ...more,
  });
}

describe("a question for permission", () => {
  test("makes the session wait for the user, and continue with the answer", async () => {
    const wire = await asking();
    await wire.prompt("Go");
    expect((await wire.news()).slice(3)).toEqual([
      "tool_call_update in_progress",
      "session/request_permission",
      "requires_action",
    ]);
    const question = wire.peer.received.find(({ method }) => method === "session/request_permission");
    const { toolCallId } = wire.peer.received
      .map(({ params }) => (params as { update?: { toolCallId?: string } })?.update)
      .find((update) => update?.toolCallId !== undefined) as { toolCallId: string };
    expect(question?.["params"]).toEqual({
      sessionId: "s",
      title: "Delete all",
      subject: { type: "tool_call", toolCall: { title: "Delete all", toolCallId } },
      options: [
        { optionId: "allow", name: "Allow", kind: "allow_once" },
        { optionId: "reject", name: "Reject", kind: "reject_once" },
      ],
    });
    await wire.answer("session/request_permission", allow);
    expect(await wire.news()).toEqual(["running", "agent_message_chunk: allow", "idle end_turn"]);
  });

  test("repeats the shown members of its call, except content that grows", async () => {
    const rawInput = { path: "/a" };
    const wire = await asking({
      "session/prompt": async (_params: unknown, { turn }: { turn: AgentTurn }) => {
        const call = await turn.toolCall({ title: "Delete", kind: "delete", rawInput, content: "all" });
        await call.update({ status: "pending", locations: [{ path: "/a" }], title: null });
        void call.requestPermission();
        await call.append("more");
        await call.requestPermission({ title: "Sure?" });
        return end;
      },
    });
    await wire.prompt("Go");
    await wire.news();
    const questions = wire.peer.received.filter(({ method }) => method === "session/request_permission");
    const shown = { title: "Delete", kind: "delete", rawInput, locations: [{ path: "/a" }] };
    const content = [{ type: "content", content: { type: "text", text: "all" } }];
    expect(questions.map(({ params }) => params)).toMatchObject([
      { title: "Delete", subject: { toolCall: { ...shown, content } } },
      { title: "Sure?", subject: { toolCall: shown } },
    ]);
    expect(JSON.stringify(questions[1])).not.toContain('"content"');
    expect(JSON.stringify(questions)).not.toContain('"status"');
  });

  test("answered with an option that was not offered does not approve", async () => {
    const wire = await asking();
    await wire.prompt("Go");
    await wire.answer("session/request_permission", { outcome: { outcome: "selected", optionId: "always" } });
    expect((await wire.news()).slice(-2)).toEqual(["running", "idle error"]);
  });

  test("is withdrawn when the turn is cancelled, and the turn receives no late approval", async () => {
    const wire = await asking();
    await wire.prompt("Go");
    await wire.news();
    wire.peer.send({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId: "s" } });
    expect(await wire.news()).toEqual(["$/cancel_request", "agent_message_chunk: cancelled", "idle cancelled"]);
    await wire.answer("session/request_permission", allow);
    expect(await wire.news()).toEqual([]);
  });

  test("next to another one leaves the session waiting until both are answered", async () => {
    const wire = await connectWire({
      "session/prompt": async (_params, { turn }) => {
        await Promise.all([turn.requestPermission({ title: "One" }), turn.requestPermission({ title: "Two" })]);
        return end;
      },
    });
    await wire.prompt("Go");
    await wire.answer("session/request_permission", allow);
    expect((await wire.news()).slice(3)).toEqual([
      "session/request_permission",
      "requires_action",
      "session/request_permission",
    ]);
    await wire.answer("session/request_permission", allow);
    expect(await wire.news()).toEqual(["running", "idle end_turn"]);
  });

  test("that is withdrawn from one of several turns makes the session wait for nobody", async () => {
    const wire = await connectWire(
      {
        "session/prompt": async ({ prompt: [block] }, { turn, signal }) => {
          await turn.accept();
          if (block?.type === "text" && block.text === "Ask") {
            await turn.requestPermission({ title: "One" });
            await turn.message("Cleaned up");
          } else await new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
          return end;
        },
      },
      { overlappingPrompts: "alongside" },
    );
    await wire.prompt("Ask");
    await wire.prompt("Wait");
    await wire.news();
    wire.peer.send({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId: "s" } });
    expect(await wire.news()).toEqual(["$/cancel_request", "agent_message_chunk: Cleaned up", "idle cancelled"]);
  });

  test("that is asked outside of turns leaves the session as it is", async () => {
    const wire = await connectWire({
      "session/prompt": async (_params, { turn, session }) => {
        await turn.accept();
        await session.client.request("session/request_permission", {
          title: "In the background?",
          options: [{ optionId: "allow", name: "Allow", kind: "allow_once" }],
        });
        return end;
      },
    });
    await wire.prompt("Go");
    await wire.answer("session/request_permission", allow);
    expect((await wire.news()).slice(2)).toEqual(["running", "session/request_permission", "idle end_turn"]);
  });
});

test("an elicitation of the session makes it wait for the user, and accepts the prompt", async () => {
  const wire = await connectWire({
    "session/prompt": async (_params, { client, session }) => {
      const requestedSchema = { type: "object" as const, properties: {} };
      await client.request("elicitation/create", {
        sessionId: session.id,
        mode: "form",
        message: "Who?",
        requestedSchema,
      });
      return end;
    },
  });
  await wire.prompt("Go");
  await wire.answer("elicitation/create", { action: "decline" });
  expect(await wire.news()).toEqual([
    "answer",
    "user_message: Go",
    "running",
    "elicitation/create",
    "requires_action",
    "running",
    "idle end_turn",
  ]);
});

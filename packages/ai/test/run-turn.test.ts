import { describe, expect, test } from "vitest";
import { pathTool, play, stages } from "./support/play.ts";

const image = { type: "image", data: "aW1hZ2U=", mimeType: "image/png" } as const;

describe.each(stages)("a turn with a model: $name", (stage) => {
  test("shows reasoning and text as they come, and reports how full the context is", async () => {
    const { client, messages } = await play(stage, [{ reasoning: "It is a greeting.", text: "Hello to you, too." }]);
    expect(await client.prompt("Hello")).toMatchObject({ stopReason: "end_turn" });
    expect(client.timeline()).toMatchObject([
      { type: "agent_thought", text: "It is a greeting." },
      { type: "agent_message", text: "Hello to you, too." },
    ]);
    expect(client.shown("agent_message")[0]?.["chunks"]).toHaveLength(3);
    expect(client.usage).toMatchObject({ used: 120, size: 1000 });
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
  });

  test("continues with the conversation", async () => {
    const { client, server } = await play(stage, [{ reasoning: "Hm.", text: "One." }, { text: "Two." }]);
    await client.prompt("First");
    await client.prompt("Second");
    expect(JSON.stringify(server.requests[1])).toMatch(/First.*One\..*Second/su);
  });

  test("gives images to the model", async () => {
    const { client, server } = await play(stage, [{ text: "I see it." }]);
    expect(await client.prompt([{ type: "text", text: "What is it?" }, image])).toMatchObject({
      stopReason: "end_turn",
    });
    expect(JSON.stringify(server.requests[0])).toContain("aW1hZ2U=");
  });

  test.each([
    ["length", "max_tokens"],
    ["refusal", "refusal"],
  ] as const)("ends with the stop reason for %s", async (finish, stopReason) => {
    const { client } = await play(stage, [{ text: "I cannot", finish }]);
    expect(await client.prompt("Go")).toMatchObject({ stopReason });
    expect(client.timeline()).toMatchObject([{ type: "agent_message", text: "I cannot" }]);
  });

  test("ends when the turn has had its steps", async () => {
    const call = { id: "call_1", name: "read", args: '{"path":"/a"}' };
    const tools = { read: pathTool(() => "more") };
    const { client, server } = await play(stage, [{ calls: [call] }, { calls: [call] }], {
      turn: { tools, maxSteps: 2 },
    });
    expect(await client.prompt("Go")).toMatchObject({ stopReason: "max_turn_requests" });
    expect(server.requests).toHaveLength(2);
    // The model counts its calls anew each time; for the client each is one of its own.
    expect(client.shown("tool_call").map(({ toolCallId }) => toolCallId)).toEqual(["call_1", "call_1-2"]);
  });

  test("passes a message that arrives meanwhile to the model, at the next step", async () => {
    let outcome: Promise<string> | undefined;
    const tools = {
      read: pathTool(async () => {
        outcome = scene.client.steer("Be brief");
        await scene.client.steeringArrived;
        return "long";
      }),
    };
    const call = { id: "call_1", name: "read", args: '{"path":"/a"}' };
    const scene = await play(stage, [{ calls: [call] }, { text: "Done." }], { turn: { tools } });
    expect(await scene.client.prompt("Go")).toMatchObject({ stopReason: "end_turn" });
    expect(await outcome).toBe("injected");
    expect(JSON.stringify(scene.server.requests[1])).toContain("Be brief");
    expect(scene.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "user", "assistant"]);
  });

  test("leaves a message that arrives meanwhile to others if it is not steered", async () => {
    let outcome: Promise<string> | undefined;
    const tools = {
      read: pathTool(async () => {
        outcome = scene.client.steer("Be brief");
        expect(await outcome).toBe("promptRequired");
        return "long";
      }),
    };
    const call = { id: "call_1", name: "read", args: '{"path":"/a"}' };
    const scene = await play(stage, [{ calls: [call] }, { text: "Done." }], { turn: { tools, isSteered: false } });
    expect(await scene.client.prompt("Go")).toMatchObject({ stopReason: "end_turn" });
    expect(await outcome).toBe("promptRequired");
    expect(JSON.stringify(scene.server.requests)).not.toContain("Be brief");
  });

  test("asks the model again for a message that arrives while it finishes", async () => {
    let outcome: Promise<string> | undefined;
    const scene = await play(stage, [{ text: "Done." }, { text: "Shorter." }], {
      turn: {
        onMessages: async () => {
          outcome ??= scene.client.steer("Be brief");
          await scene.client.steeringArrived;
        },
      },
    });
    expect(await scene.client.prompt("Go")).toMatchObject({ stopReason: "end_turn" });
    expect(await outcome).toBe("injected");
    expect(JSON.stringify(scene.server.requests[1])).toMatch(/Done\..*Be brief/su);
    expect(scene.client.shown("agent_message").map(({ text }) => text)).toEqual(["Done.", "Shorter."]);
  });

  test("a cancel ends the request and keeps the received text", async () => {
    const cancel = new AbortController();
    const { client, server, messages } = await play(stage, [{ text: "A long story begins here", hangsAfter: 5 }], {
      onUpdate: ({ sessionUpdate }) => {
        if (sessionUpdate === "agent_message_chunk") cancel.abort();
      },
    });
    expect(await client.prompt("Tell", cancel.signal)).toMatchObject({ stopReason: "cancelled" });
    await server.aborted;
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect(JSON.stringify(messages[1])).toContain("A long");
  });
});

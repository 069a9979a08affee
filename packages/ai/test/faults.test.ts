import { describe, expect, test } from "vitest";
import { pathTool, play, type Scene, stages } from "./support/play.ts";

/** Neither the key nor the prompt nor what the provider has sent is in what the client and the log get. */
function expectNoSecrets({ client }: Scene): void {
  expect(client.received()).not.toContain("SECRET");
  expect(client.diagnosed()).not.toContain("SECRET");
}

describe.each(stages)("a model that fails: $name", (stage) => {
  test("retries at the time the model asks for, and notifies the user", async () => {
    const busy = { status: 429, headers: { "retry-after": "1" } };
    const scene = await play(stage, [busy, { text: "Here I am." }]);
    expect(await scene.client.prompt("SECRET-PROMPT")).toMatchObject({ stopReason: "end_turn" });
    expect(scene.client.timeline()).toMatchObject([
      {
        type: "notice",
        severity: "warning",
        title: "The model's provider limits the requests (429).",
        description: "Trying again in 1 second (1 of 5).",
      },
      { type: "agent_message", text: "Here I am." },
    ]);
    expectNoSecrets({
      ...scene,
      client: { ...scene.client, received: () => scene.client.received().replace("SECRET-PROMPT", "") },
    });
  });

  test.runIf(stage.version === 1)("is waited for with a thought where the client shows no notices", async () => {
    const busy = { status: 429, headers: { "retry-after": "0" } };
    const scene = await play(stage, [busy, { text: "Here I am." }], { hasNotices: false });
    expect(await scene.client.prompt("Hello")).toMatchObject({ stopReason: "end_turn" });
    expect(scene.client.timeline()).toMatchObject([
      {
        type: "agent_thought",
        text: "The model's provider limits the requests (429). Trying again in 1 second (1 of 5).",
      },
      { type: "agent_message", text: "Here I am." },
    ]);
  });

  test("is asked so often, and then the turn fails with a sentence", async () => {
    const scene = await play(stage, [{ status: 500 }, { status: 503 }, { status: 500 }], { turn: { maxRetries: 2 } });
    expect(await scene.client.prompt("Hello")).toMatchObject({
      stopReason: "error",
      error: {
        code: -32603,
        message: "The model's provider failed (500). Try again later.",
        data: { kind: "server", status: 500 },
      },
    });
    expect(scene.server.requests).toHaveLength(3);
    expect(scene.client.shown("notice")).toHaveLength(2);
    expectNoSecrets(scene);
  });

  test.each([
    [401, "auth", /key \(401\)/u],
    [403, "auth", /key \(403\)/u],
    [404, "not_found", /\(404\)\. Check the model's name/u],
    [400, "bad_request", /\(400\)/u],
  ])("is not asked again after %i", async (status, kind, message) => {
    const scene = await play(stage, [{ status }]);
    const { error } = await scene.client.prompt("Hello");
    expect(error).toMatchObject({ data: { kind, status } });
    expect(error?.message).toMatch(message);
    expect(scene.server.requests).toHaveLength(1);
    expectNoSecrets(scene);
  });

  test("is not waited for when it wants to be left alone for an hour", async () => {
    const scene = await play(stage, [{ status: 429, headers: { "retry-after": "3600" } }]);
    const { error } = await scene.client.prompt("Hello");
    expect(error?.message).toBe("The model's provider limits the requests (429). Try again in 3600 seconds.");
  });

  test("retries after a truncated answer, and keeps none of it in the history", async () => {
    const call = { id: "call_1", name: "read", args: '{"path":"/a.txt"}' };
    const replies = [{ text: "I look at it.", calls: [call], cutAfter: 7 }, { text: "Here it is." }];
    const scene = await play(stage, replies, { turn: { tools: { read: pathTool(() => "text") } } });
    expect(await scene.client.prompt("Go")).toMatchObject({ stopReason: "end_turn" });
    expect(scene.client.shown("notice")).toMatchObject([{ title: "The model's answer broke off." }]);
    expect(scene.client.shown("agent_message").at(-1)).toMatchObject({ text: "Here it is." });
    expect(
      scene.client.shown("tool_call").filter(({ status }) => status === "pending" || status === "in_progress"),
    ).toEqual([]);
    expect(JSON.stringify(scene.messages)).not.toContain("I look");
  });

  test("whose answer stops for good keeps the received part", async () => {
    const scene = await play(stage, [{ text: "Half of a sentence", cutAfter: 4 }, { text: "Better." }], {
      turn: { maxRetries: 0 },
    });
    expect(await scene.client.prompt("Go")).toMatchObject({
      error: { message: "The model's answer broke off. Try again.", data: { kind: "broken_off" } },
    });
    expect(JSON.stringify(scene.messages)).toContain("Half");
    expect(await scene.client.prompt("Again")).toMatchObject({ stopReason: "end_turn" });
  });

  test("and says so in the stream is asked again", async () => {
    const scene = await play(stage, [{ text: "I begin.", errorAfter: 3 }, { text: "Done." }]);
    expect(await scene.client.prompt("Go")).toMatchObject({ stopReason: "end_turn" });
    expect(scene.client.shown("notice")).toMatchObject([{ title: "The model's provider failed." }]);
    expectNoSecrets(scene);
  });

  test("does not make a tool run twice that the user has allowed", async () => {
    let runs = 0;
    const tools = { read: pathTool(() => `run ${++runs}`) };
    const call = { id: "call_1", name: "read", args: '{"path":"/a.txt"}' };
    const scene = await play(stage, [{ calls: [call] }, { status: 500 }, { text: "Done." }], {
      turn: { tools, toolApproval: { read: "user-approval" } },
      answer: () => "allow_once",
    });
    expect(await scene.client.prompt("Go")).toMatchObject({ stopReason: "end_turn" });
    expect(runs).toBe(1);
    expect(JSON.stringify(scene.server.requests[2])).toContain("run 1");
  });
});

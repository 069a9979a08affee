import { describe, expect, test } from "vitest";

import type { Json, Reply } from "../../../../packages/ai/test/support/replies.ts";
import { type SceneOptions, calls, play, type Stage, stages } from "./testing/models.ts";
import { createProject, type Project } from "../tools/testing/project.ts";

/** About 3000 tokens. */
const long = "A long line of a file.\n".repeat(500);

/** Clients of version 1 say that they show compactions, those of version 2 always do. */
const capabilities = { session: { compaction: {}, notices: {} } };
const price = { currency: "USD", input: 10_000, output: 50_000 };

interface LongScene extends Partial<SceneOptions> {
  readonly contextSize?: number;
}

/** A scene whose model has read a long file, in a context that this fills by more than half. */
async function playLong(stage: Stage, replies: Parameters<typeof play>[1], options: LongScene = {}) {
  const { contextSize = 10_000, ...others } = options;
  const project = createProject({ "a.txt": long, "b.txt": long });
  const scene = await play(stage, [...read(project, "a.txt"), ...replies], {
    cwd: project.path,
    model: { contextSize, price },
    capabilities,
    ...others,
  });
  await scene.session.prompt("Read the first file");
  return { ...scene, project };
}

function read(project: Project, name: string): Reply[] {
  return [calls(["read", { path: project.at(name) }]), { text: `I have read ${name}.` }];
}

/** What the model was asked, without its tools and the system prompt. */
function conversationOf(request: Json | undefined): string {
  const messages = request?.["messages"];
  return JSON.stringify(Array.isArray(messages) ? messages.filter(({ role }: Json) => role !== "system") : messages);
}

describe.each(stages)("a conversation that gets too long, $name", (stage) => {
  test("is summarized before the next request, and continues from there", async () => {
    const { session, server } = await playLong(stage, [{ text: "a.txt has long lines." }, { text: "Here I go on." }]);
    // The provider has counted 120 tokens for all until here; what comes on top is estimated.
    expect(await session.prompt(`Go on with this: ${long.repeat(4)}`)).toMatchObject({ stopReason: "end_turn" });
    expect(server.requests).toHaveLength(4);
    const [, , summary, next] = server.requests.map(conversationOf);
    // What is summarized is a text: neither tools nor the project's instructions.
    expect(server.requests[2]).not.toHaveProperty("tools");
    expect(summary).toContain("Agent calls read");
    expect(summary).not.toContain("Go on with this");
    expect(next).toMatch(/a\.txt has long lines.*Go on with this/su);
    expect(next).not.toContain("I have read a.txt");
    expect(session.shown("compaction")).toMatchObject([{ status: "completed" }]);
    expect(session.timeline().at(-1)).toMatchObject({ type: "agent_message", text: "Here I go on." });
    // The summary has cost something, too: four requests of 2 dollars each.
    expect(session.usage).toMatchObject({ used: 120, cost: { amount: 8 } });
  });

  test("is summarized in the middle of a turn, and open calls keep their results", async () => {
    const project = createProject({ "a.txt": long, "b.txt": long });
    const paths = ["a.txt", "b.txt"].map((name) => project.at(name));
    const both = calls(...paths.map((path) => ["read", { path }] as const));
    const { session, server } = await play(
      stage,
      [
        { text: "First.", ...calls(["run", { command: "echo hello" }]) },
        both,
        { text: "It said hello." },
        { text: "Done." },
      ],
      { cwd: project.path, model: { contextSize: 8000 }, capabilities, answer: () => "allow_once" },
    );
    expect(await session.prompt("Go")).toMatchObject({ stopReason: "end_turn" });
    const next = conversationOf(server.requests[3]);
    expect(next).toContain("It said hello.");
    expect(next).not.toContain("First.");
    // Both calls are answered. The results are too long even so: the older one has given way.
    expect(next).toContain("removed to make room");
    expect(next).toContain("A long line of a file.");
    expect(session.shown("tool_call").map(({ status }) => status)).toEqual(["completed", "completed", "completed"]);
  });

  test("of a subagent is summarized too, silently", async () => {
    const project = createProject({ "a.txt": long, "b.txt": long });
    const paths = ["a.txt", "b.txt"].map((name) => project.at(name));
    const { session, server } = await play(
      stage,
      [
        calls(["task", { title: "Look", prompt: "Look at the files" }]),
        { text: "First.", ...calls(["list", { path: project.path }]) },
        calls(...paths.map((path) => ["read", { path }] as const)),
        { text: "There are two files." },
        { text: "They are long." },
        { text: "Done." },
      ],
      { cwd: project.path, model: { contextSize: 8000 }, capabilities },
    );
    expect(await session.prompt("Go")).toMatchObject({ stopReason: "end_turn" });
    expect(conversationOf(server.requests[4])).toContain("There are two files.");
    expect(conversationOf(server.requests[5])).toMatch(/Go.*They are long\./su);
    expect(session.shown("compaction")).toEqual([]);
  });

  test("that could not be summarized loses the oldest outputs of tools instead", async () => {
    const { session, server } = await playLong(stage, [{ status: 400 }, { text: "Here I go on." }]);
    expect(await session.prompt(`Go on with this: ${long.repeat(4)}`)).toMatchObject({ stopReason: "end_turn" });
    const next = conversationOf(server.requests[3]);
    expect(next).toMatch(/Read the first file.*removed to make room.*I have read a\.txt.*Go on with this/su);
    expect(session.shown("compaction")).toMatchObject([{ status: "failed" }]);
  });

  test("is shortened when the provider refuses it, and asked for once more", async () => {
    const refusal = {
      status: 400,
      body: { error: { message: "prompt is too long: 9000 tokens", type: "invalid_request_error" } },
    };
    const { session, server } = await playLong(
      stage,
      [refusal, { text: "They talked about a.txt." }, { text: "Here I go on." }],
      { contextSize: 1_000_000 },
    );
    expect(await session.prompt("Go on")).toMatchObject({ stopReason: "end_turn" });
    expect(conversationOf(server.requests[4])).toMatch(/They talked about a\.txt\..*Go on/su);
    expect(session.timeline().at(-1)).toMatchObject({ text: "Here I go on." });
  });

  test("stops when the provider refuses it twice", async () => {
    const refusal = { status: 413 };
    const { session } = await playLong(stage, [refusal, { text: "They talked." }, refusal, { text: "Better." }], {
      contextSize: 1_000_000,
    });
    const { error } = await session.prompt("Go on");
    expect(error?.message).toContain("The conversation is longer than the model can read");
    expect(await session.prompt("Again")).toMatchObject({ stopReason: "end_turn" });
  });

  test("stays as it is when the user cancels while it is summarized", async () => {
    const cancel = new AbortController();
    const { session, server } = await playLong(
      stage,
      [{ text: "A summary that takes long", hangsAfter: 4 }, { text: "So." }, { text: "Fine." }],
      {
        onUpdate: ({ sessionUpdate }) => {
          if (sessionUpdate === "compaction_summary_chunk") cancel.abort();
        },
      },
    );
    expect(await session.prompt(`Go on: ${long.repeat(4)}`, cancel.signal)).toMatchObject({ stopReason: "cancelled" });
    await server.aborted;
    expect(session.shown("compaction")).toMatchObject([{ status: "cancelled" }]);
    await session.prompt("Short");
    expect(server.requests.slice(3).map(conversationOf).join("\n")).toContain("I have read a.txt");
  });

  test("is summarized by /compact, with the user's instructions", async () => {
    const { session, server } = await playLong(stage, [{ text: "Line 7 matters." }, { text: "I know line 7." }]);
    expect(await session.prompt("/compact line 7")).toMatchObject({ stopReason: "end_turn" });
    expect(conversationOf(server.requests[2])).toContain("Keep above all: line 7");
    expect(session.timeline().at(-1)?.text).toContain("The conversation is a summary now");
    expect(session.usage).toMatchObject({ size: 10_000, cost: { amount: 6 } });
    await session.prompt("What do you know?");
    expect(conversationOf(server.requests[3])).toMatch(/Line 7 matters\..*What do you know/su);
    expect(conversationOf(server.requests[3])).not.toContain("A long line");
  });

  test("is not summarized by /compact before there is anything to summarize", async () => {
    const { path: cwd } = createProject();
    const { session, server } = await play(stage, [], { cwd });
    expect(await session.prompt("/compact")).toMatchObject({ stopReason: "end_turn" });
    expect(session.timeline().at(-1)?.text).toBe("The conversation stays as it is.");
    expect(server.requests).toEqual([]);
  });

  test("is loaded with the summary for the model, and with everything for the user", async () => {
    const { session, server, client } = await playLong(stage, [{ text: "Line 7 matters." }, { text: "I know." }]);
    await session.prompt("/compact");
    const loaded = await client.reopen(session.id, { replay: true });
    expect(loaded.timeline().map(({ type }) => type)).toEqual(session.timeline().map(({ type }) => type));
    await loaded.prompt("And now?");
    expect(conversationOf(server.requests[3])).toMatch(/Line 7 matters\..*And now/su);
    expect(conversationOf(server.requests[3])).not.toContain("A long line");
  });
});

test.each(stages.filter(({ version }) => version === 1))(
  "clients that do not show compactions get a notice or a thought, $name",
  async (stage) => {
    const summary = { text: "The summary." };
    const withNotices = await playLong(stage, [summary], { capabilities: { session: { notices: {} } } });
    await withNotices.session.prompt("/compact");
    expect(withNotices.session.shown("notice")).toMatchObject([
      { severity: "info", title: "The conversation is getting long. The agent summarizes the older part of it." },
    ]);
    const without = await playLong(stage, [summary], { capabilities: {} });
    await without.session.prompt("/compact");
    expect(without.session.shown("agent_thought")).toMatchObject([{ text: expect.stringContaining("summarizes") }]);
    expect(without.client.received()).not.toContain("The summary.");
  },
);

test.each(stages.filter(({ version }) => version === 1))(
  "asks again for a summary when the provider is busy, and notifies the user, $name",
  async (stage) => {
    const busy = { status: 429, headers: { "retry-after": "0" } };
    const scene = await playLong(stage, [busy, { text: "The summary." }, { text: "Next." }], { capabilities: {} });
    await scene.session.prompt("/compact");
    expect(scene.session.shown("agent_thought")).toMatchObject([
      { text: expect.stringContaining("summarizes") },
      { text: "The model's provider limits the requests (429). Trying again in 1 second (1 of 2)." },
    ]);
    await scene.session.prompt("And now?");
    expect(conversationOf(scene.server.requests.at(-1))).toContain("The summary.");
  },
);

// What a configured model sends to its provider, as a stand-in for the provider receives it.
import { describe, expect, test } from "vitest";

import { serveModel, type ModelServer } from "../../../../packages/ai/test/support/model-server.ts";
import { anthropic, type Format, type Json, openAi, type Reply } from "../../../../packages/ai/test/support/replies.ts";
import { connect, type TestClient, type TestSession } from "../coder/testing/connect.ts";
import { calls, info } from "../coder/testing/models.ts";
import { createCoder } from "../coder/create-coder.ts";
import { createProject } from "../tools/testing/project.ts";
import { createModel } from "./create-models.ts";
import type { ModelConfig } from "./model-config.ts";
import { openAiResponses } from "./testing/responses-format.ts";

interface Scene {
  readonly server: ModelServer;
  readonly client: TestClient;
  readonly session: TestSession;
}

/** A session of version 1 with a model as the user configures it. */
async function configure(
  format: Format,
  config: Omit<ModelConfig, "baseUrl">,
  replies: readonly Reply[],
): Promise<Scene> {
  const project = createProject({ "a.txt": "Ada", "b.txt": "Bob" });
  const server = await serveModel(format, replies);
  const agent = createCoder({ info, models: [createModel({ ...config, baseUrl: server.url }, {})] });
  const client = await connect(1, agent, { cwd: project.path, answer: () => "allow_once" });
  return { server, client, session: await client.newSession() };
}

/** A task of three steps. */
const task: readonly Reply[] = [
  { text: "First.", ...calls(["list", {}]), cache: { read: 0, written: 900 } },
  { text: "Second.", ...calls(["list", {}], ["search", { pattern: "Ada" }]), cache: { read: 900, written: 50 } },
  { text: "Done.", cache: { read: 950, written: 10 } },
];

/** The parts of a request, in the order in which a provider reads them. */
function partsOf(request: Json | undefined): readonly Json[] {
  const list = (value: unknown): Json[] => (Array.isArray(value) ? (value as Json[]) : []);
  const messages = list(request?.["messages"]).flatMap(({ content }) => list(content));
  return [...list(request?.["tools"]), ...list(request?.["system"]), ...messages];
}

const isMarked = (part: Json): boolean => "cache_control" in part;
const unmarked = (parts: readonly Json[]): string[] =>
  parts.map((part) => JSON.stringify({ ...part, cache_control: undefined }));

describe("a model of Anthropic", () => {
  const config = { provider: "anthropic", model: "claude" } as const;

  test("gets at most four marks for its cache, on the parts that the next request repeats", async () => {
    const { server, session } = await configure(anthropic, config, [...task, { text: "Hello again." }]);
    expect(await session.prompt("Go")).toMatchObject({ stopReason: "end_turn" });
    expect(await session.prompt("And?")).toMatchObject({ stopReason: "end_turn" });
    for (const [index, request] of server.requests.entries()) {
      const parts = partsOf(request);
      const marks = parts.flatMap((part, at) => (isMarked(part) ? [at] : []));
      const tools = request["tools"] as readonly Json[];
      expect(tools.at(-1)).toHaveProperty("cache_control", { type: "ephemeral" });
      expect((request["system"] as readonly Json[]).at(-1)).toHaveProperty("cache_control");
      expect(marks.at(-1)).toBe(parts.length - 1);
      expect(marks).toHaveLength(index === 0 ? 3 : 4);
      // Each request begins with all that the one before had marked, and marks the end of it once more.
      const before = partsOf(server.requests[index - 1]);
      expect(unmarked(parts).slice(0, before.length)).toEqual(unmarked(before));
      if (index > 0) expect(marks).toContain(before.length - 1);
    }
  });

  test("reports how many tokens were read from the cache and written to it", async () => {
    const price = { currency: "USD", input: 1_000_000, output: 0, cachedInput: 100_000, cacheWrite: 2_000_000 };
    const { session } = await configure(anthropic, { ...config, price }, task);
    expect(await session.prompt("Go")).toMatchObject({
      usage: { inputTokens: 3110, outputTokens: 60, cachedReadTokens: 1850, cachedWriteTokens: 960 },
    });
    // What is neither read nor written costs 1 a token, what is read 0.1, and what is written 2.
    expect(session.usage).toMatchObject({ used: 1080, cost: { amount: expect.closeTo(300 + 185 + 1920) } });
  });

  test("gets no marks with a conversation to summarize, which nobody continues with", async () => {
    const { server, session } = await configure(anthropic, config, [...task, { text: "The summary." }]);
    await session.prompt("Go");
    await session.prompt("/compact");
    expect(JSON.stringify(server.requests.at(-1))).not.toContain("cache_control");
  });
});

describe("a model of OpenAI", () => {
  test.each([
    ["o3-pro", "/v1/responses"],
    ["gpt-5-codex", "/v1/responses"],
    ["gpt-5.1-codex-mini", "/v1/responses"],
    ["codex-mini-latest", "/v1/responses"],
    ["openai/gpt-5.2-pro-2025-12-11", "/v1/responses"],
    ["o4-mini-deep-research", "/v1/responses"],
    ["o3", "/v1/chat/completions"],
    ["gpt-5", "/v1/chat/completions"],
    ["qwen3-codex", "/v1/chat/completions"],
  ])("is asked by the interface that it has: %s", async (model, path) => {
    const format = path === "/v1/responses" ? openAiResponses : openAi;
    const { server, session } = await configure(format, { provider: "openai", model, maxOutputTokens: 500 }, [
      { text: "Hello." },
    ]);
    expect(await session.prompt("Hi")).toMatchObject({ stopReason: "end_turn" });
    expect(server.paths).toEqual([path]);
    expect(session.shown("agent_message")).toMatchObject([{ text: "Hello." }]);
  });

  test.each([
    ["o1", {}, { max_completion_tokens: 500 }],
    ["azure/o4-mini", {}, { max_completion_tokens: 500 }],
    ["gpt-5.1", {}, { max_completion_tokens: 500 }],
    ["gpt-4o", {}, { max_tokens: 500 }],
    ["gpt-oss-20b", {}, { max_tokens: 500 }],
    ["olmo2", {}, { max_tokens: 500 }],
    ["my-deployment", { limitName: "max_completion_tokens" }, { max_completion_tokens: 500 }],
    ["o3", { limitName: "max_tokens" }, { max_tokens: 500 }],
  ] as const)("gets the limit of its answer by the name that it takes: %s %o", async (model, more, expected) => {
    const config = { provider: "openai", model, maxOutputTokens: 500, ...more } as const;
    const { server, session } = await configure(openAi, config, [{ text: "Hello." }]);
    await session.prompt("Hi");
    const names = ["max_tokens", "max_completion_tokens"];
    const sent = Object.entries(server.requests[0] ?? {}).filter(([name]) => names.includes(name));
    expect(Object.fromEntries(sent)).toEqual(expected);
  });

  test("of the Responses API runs tools, thinks as hard as configured, and leaves nothing at the provider", async () => {
    const config: ModelConfig = { provider: "openai", model: "my-model", api: "responses", efforts: ["low", "high"] };
    const { server, session } = await configure(openAiResponses, { ...config, maxOutputTokens: 500 }, task);
    await session.set("effort", "high");
    expect(await session.prompt("Go")).toMatchObject({ stopReason: "end_turn", usage: { cachedReadTokens: 240 } });
    expect(session.shown("tool_call")).toHaveLength(3);
    for (const request of server.requests)
      expect(request).toMatchObject({ store: false, reasoning: { effort: "high" }, max_output_tokens: 500 });
    expect(JSON.stringify(server.requests.at(-1)?.["input"])).toMatch(/function_call_output.*a\.txt/u);
    expect(JSON.stringify(server.requests.at(-1)?.["input"])).not.toContain("item_reference");
  });

  test("is asked by the chat completions if the configuration says so", async () => {
    const config = { provider: "openai", model: "gpt-5-codex", api: "chat" } as const;
    const { server, session } = await configure(openAi, config, [{ text: "Hello." }]);
    await session.prompt("Hi");
    expect(server.paths).toEqual(["/v1/chat/completions"]);
  });
});

// The agent's half with version 6 of `ai`, in place of version 7: see `vitest.config.ts`.
import { createOpenAICompatible } from "@ai-sdk/openai-compatible-2";
import { jsonSchema, Output, ToolLoopAgent } from "ai-6";
import * as ai from "ai";
import type { LanguageModel, ModelMessage } from "ai";
import { describe, expect, test } from "vitest";
import { runTurn, type RunTurnOptions, type StreamingAgent, toModelMessages } from "../../src/index.ts";
import { connect, type ConnectOptions, type Connected, versions } from "../support/connect.ts";
import { type ModelServer, serveModel } from "../support/model-server.ts";
import { pathTool } from "../support/play.ts";
import { openAi, type Refusal, type Reply } from "../support/replies.ts";

interface Scene {
  readonly client: Connected;
  readonly server: ModelServer;
  readonly outputs: readonly unknown[];
}

/** A model with the types of the version of `ai` that is installed: here those of another one. */
function modelOf(server: ModelServer): LanguageModel {
  const provider = createOpenAICompatible({ name: "stand-in", baseURL: server.url, includeUsage: true });
  return provider("stand-in") as object as LanguageModel;
}

async function play(
  version: 1 | 2,
  replies: readonly (Reply | Refusal)[],
  more: Partial<RunTurnOptions> = {},
  answer: Required<ConnectOptions>["answer"] = () => "allow_once",
): Promise<Scene> {
  const server = await serveModel(openAi, replies);
  const messages: ModelMessage[] = [];
  const outputs: unknown[] = [];
  const model = modelOf(server);
  const client = await connect(version, {
    answer,
    handle: async ({ turn, prompt }) => {
      messages.push(...toModelMessages(prompt));
      const { stopReason, output } = await runTurn(turn, { model, messages, backoff: () => 0, ...more });
      outputs.push(output);
      return { stopReason };
    },
  });
  return { client, server, outputs };
}

const call = { id: "call_1", name: "read", args: '{"path":"/a.txt"}' };

test("these tests run with version 6", () => {
  expect("isStepCount" in ai).toBe(false);
});

describe.each(versions)("a turn with version 6 of ai, version %i of the protocol", (version) => {
  test("shows text and tools, retries, and has instructions", async () => {
    const { client, server } = await play(
      version,
      [{ status: 500 }, { reasoning: "Hm.", text: "I look.", calls: [call] }, { text: "Done." }],
      { tools: { read: pathTool(() => "its text") }, instructions: "Be brief" },
    );
    expect(await client.prompt("Go")).toMatchObject({ stopReason: "end_turn" });
    expect(client.shown("tool_call")).toMatchObject([{ status: "completed" }]);
    expect(client.shown("agent_message")).toMatchObject([{ text: "I look." }, { text: "Done." }]);
    expect(JSON.stringify(server.requests[2])).toMatch(/Be brief.*its text/su);
  });

  test.each([
    ["allow_once", true],
    ["reject_once", false],
  ] as const)("asks before a tool runs: %s", async (answer, runs) => {
    let count = 0;
    const { client } = await play(
      version,
      [{ calls: [call] }, { text: "Done." }],
      { tools: { read: pathTool(() => `run ${++count}`) }, toolApproval: { read: "user-approval" } },
      () => answer,
    );
    expect(await client.prompt("Go")).toMatchObject({ stopReason: "end_turn" });
    expect(count).toBe(runs ? 1 : 0);
    expect(client.shown("tool_call")).toMatchObject([{ status: runs ? "completed" : "failed" }]);
  });

  test("runs no tool that a function of version 7 would deny", async () => {
    let count = 0;
    const { client } = await play(version, [{ calls: [call] }, { text: "Done." }], {
      tools: { read: pathTool(() => `run ${++count}`) },
      toolApproval: () => "denied",
    });
    await client.prompt("Go");
    expect(count).toBe(0);
  });

  test("has an object as its answer", async () => {
    const schema = jsonSchema<{ total: number }>({ type: "object", properties: { total: { type: "number" } } });
    const output = Output.object({ schema }) as object as NonNullable<RunTurnOptions["output"]>;
    const { client, outputs } = await play(version, [{ text: '{"total": 3}' }], { output });
    expect(await client.prompt("Go")).toMatchObject({ stopReason: "end_turn" });
    expect(outputs).toEqual([{ total: 3 }]);
  });

  test("runs a ToolLoopAgent", async () => {
    const server = await serveModel(openAi, [{ text: "Here I am." }]);
    const model = modelOf(server) as object as ConstructorParameters<typeof ToolLoopAgent>[0]["model"];
    const agent = new ToolLoopAgent({ model, instructions: "You answer." }) as object as StreamingAgent;
    const client = await connect(version, {
      handle: async ({ turn, prompt }) => {
        const { stopReason } = await runTurn(turn, { agent, messages: toModelMessages(prompt) });
        return { stopReason };
      },
    });
    expect(await client.prompt("Go")).toMatchObject({ stopReason: "end_turn" });
    expect(client.shown("agent_message")).toMatchObject([{ text: "Here I am." }]);
  });
});

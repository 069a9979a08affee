import { jsonSchema, type ModelMessage, tool } from "ai";
import { describe, expect, test } from "vitest";
import { runTurn, type RunTurnOptions, toModelMessages } from "../src/index.ts";
import { type Answer, connect, type Connected, versions } from "./support/connect.ts";
import { formats, type ModelServer, serveModel } from "./support/model-server.ts";
import type { Refusal, Reply } from "./support/replies.ts";

interface Scene extends Connected, ModelServer {
  readonly messages: ModelMessage[];
}

const both = formats.flatMap((format) => versions.map((version) => ({ format, version, name: format.name })));

const readFile = tool({
  description: "Reads a file",
  inputSchema: jsonSchema<{ path: string }>({
    type: "object",
    properties: { path: { type: "string" } },
    required: ["path"],
  }),
  execute: ({ path }) => Promise.resolve(`The text of ${path}`),
});

describe.each(both)("a turn with a model: $name, version $version", ({ format, version }) => {
  async function play(
    replies: readonly (Reply | Refusal)[],
    options: Partial<RunTurnOptions> = {},
    answer?: (title: string) => Answer | Promise<Answer>,
  ): Promise<Scene> {
    const server = await serveModel(format, replies);
    const messages: ModelMessage[] = [];
    const connected = await connect(version, {
      ...(answer === undefined ? {} : { answer }),
      handle: async ({ turn, prompt }) => {
        messages.push(...toModelMessages(prompt));
        const { stopReason } = await runTurn(turn, {
          model: server.model,
          messages,
          contextSize: 1000,
          backoff: () => 0,
          ...options,
        });
        return { stopReason };
      },
    });
    return {
      ...connected,
      ...server,
      messages,
      get usage() {
        return connected.usage;
      },
    };
  }

  test("shows reasoning and text as they come, and tells how full the context is", async () => {
    const scene = await play([{ reasoning: "It is a greeting.", text: "Hello to you, too." }]);
    expect(await scene.prompt("Hello")).toMatchObject({ stopReason: "end_turn" });
    expect(scene.timeline()).toMatchObject([
      { type: "agent_thought", text: "It is a greeting." },
      { type: "agent_message", text: "Hello to you, too." },
    ]);
    expect(scene.usage).toMatchObject({ used: 120, size: 1000 });
    expect(scene.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
  });

  test("runs parallel tool calls, and gives the results to the model in order", async () => {
    const scene = await play(
      [
        {
          text: "I read both.",
          calls: [
            { id: "call_1", name: "read", args: '{"path":"/a.txt"}' },
            { id: "call_2", name: "read", args: '{"path":"/b.txt"}' },
          ],
        },
        { text: "Done." },
      ],
      {
        tools: { read: readFile },
        show: {
          read: { kind: "read", locations: ({ path }: { path?: string }) => (path === undefined ? [] : [{ path }]) },
        },
      },
    );
    expect(await scene.prompt("Read a and b")).toMatchObject({ stopReason: "end_turn" });
    expect(scene.timeline()).toMatchObject([
      { type: "agent_message", text: "I read both." },
      {
        type: "tool_call",
        title: "read /a.txt",
        kind: "read",
        status: "completed",
        rawInput: { path: "/a.txt" },
        locations: [{ path: "/a.txt" }],
        content: [{ type: "content", content: { type: "text", text: "The text of /a.txt" } }],
      },
      { type: "tool_call", title: "read /b.txt", status: "completed" },
      { type: "agent_message", text: "Done." },
    ]);
    expect(JSON.stringify(scene.requests[1])).toMatch(/The text of \/a\.txt.*The text of \/b\.txt/su);
  });
});

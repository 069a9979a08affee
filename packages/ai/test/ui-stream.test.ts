import { execFileSync } from "node:child_process";
import { isStepCount, streamText, type ToolSet } from "ai";
import { describe, expect, test } from "vitest";
import { sendUiStream } from "../src/ui-stream.ts";
import { connect, versions } from "./support/connect.ts";
import { serveModel } from "./support/model-server.ts";
import { pathTool } from "./support/play.ts";
import { openAi } from "./support/replies.ts";

/** A stream of chunks as they are. */
async function* chunksOf(...chunks: readonly { readonly type: string; readonly [member: string]: unknown }[]) {
  for (const chunk of chunks) yield await Promise.resolve(chunk);
}

describe.each(versions)("a UI message stream, version %i", (version) => {
  test("of streamText shows text, thoughts and tools with their results", async () => {
    const calls = [
      { id: "a", name: "read", args: '{"path":"/a.txt"}' },
      { id: "b", name: "read", args: '{"path":"/b.txt"}' },
    ];
    const { model } = await serveModel(openAi, [{ reasoning: "Hm.", text: "I look.", calls }, { text: "Done." }]);
    const tools: ToolSet = {
      read: pathTool((path) => {
        if (path === "/b.txt") throw new Error("No such file");
        return `text of ${path}`;
      }),
    };
    const client = await connect(version, {
      handle: async ({ turn }) => {
        const result = streamText({ model, prompt: "Go", tools, stopWhen: isStepCount(3) });
        return { stopReason: await sendUiStream(turn, result.toUIMessageStream()) };
      },
    });
    expect(await client.prompt("Go")).toMatchObject({ stopReason: "end_turn" });
    expect(client.timeline()).toMatchObject([
      { type: "agent_thought", text: "Hm." },
      { type: "agent_message", text: "I look." },
      { type: "tool_call", title: "read", status: "completed", content: [{ content: { text: "text of /a.txt" } }] },
      { type: "tool_call", title: "read", status: "failed" },
      { type: "agent_message", text: "Done." },
    ]);
  });

  test("ends with the reason and the error that it tells", async () => {
    const streams = [
      chunksOf({ type: "text-start", id: "1" }, { type: "finish", finishReason: "length" }),
      chunksOf({ type: "text-delta", id: "1", delta: "Half" }, { type: "error", errorText: "The model is away" }),
    ];
    const client = await connect(version, {
      handle: async ({ turn }) => ({ stopReason: await sendUiStream(turn, streams.shift() ?? chunksOf()) }),
    });
    expect(await client.prompt("Go")).toMatchObject({ stopReason: "max_tokens" });
    expect(await client.prompt("Go")).toMatchObject({ error: { message: expect.stringContaining("away") as string } });
  });

  test("that never ends is left when the turn is cancelled, and its open call is ended", async () => {
    const stop = new AbortController();
    const client = await connect(version, {
      onUpdate: ({ sessionUpdate }) => void (sessionUpdate.startsWith("tool_call") && stop.abort()),
      handle: async ({ turn }) => {
        const stream = new ReadableStream<{ type: string; toolCallId: string; toolName: string }>({
          start(controller) {
            controller.enqueue({ type: "tool-input-start", toolCallId: "c", toolName: "wait" });
          },
        });
        return { stopReason: await sendUiStream(turn, stream) };
      },
    });
    expect(await client.prompt("Go", stop.signal)).toMatchObject({ stopReason: "cancelled" });
    expect(client.shown("tool_call")[0]?.status).toMatch(/failed|cancelled/u);
  });
});

test("it works where ai is not installed", () => {
  const program = `
    import { registerHooks } from "node:module";
    registerHooks({ resolve(name, context, next) {
      if (name === "ai" || name.startsWith("@ai-sdk/")) throw new Error(name + " is loaded");
      return next(name, context);
    } });
    const { sendUiStream } = await import("@acp/ai/ui-stream");
    console.log(typeof sendUiStream);`;
  const args = ["--conditions=@acp/source", "--input-type=module", "--eval", program];
  expect(execFileSync(process.execPath, args, { cwd: import.meta.dirname, encoding: "utf8" })).toBe("function\n");
});

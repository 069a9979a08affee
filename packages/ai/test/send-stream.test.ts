import type { AgentTurn } from "@acp/core";
import { streamText, type TextStreamPart, type ToolSet } from "ai";
import { describe, expect, test } from "vitest";
import { ModelError, sendStream } from "../src/index.ts";
import { connect, versions } from "./support/connect.ts";
import { formats, serveModel } from "./support/model-server.ts";

type Part = TextStreamPart<ToolSet>;

const [openAi] = formats;
if (openAi === undefined) throw new Error("There are no formats");

describe.each(versions)("a stream of one's own, version %i", (version) => {
  async function send(
    parts: readonly Part[],
  ): Promise<Awaited<ReturnType<typeof connect>> & { readonly sent: unknown }> {
    let sent: unknown;
    const client = await connect(version, {
      handle: async ({ turn }) => {
        const result = await sendStream(turn, toStream(parts)).catch((error: unknown) => error);
        sent = result;
        return { stopReason: "end_turn" };
      },
    });
    await client.prompt("Go");
    return { ...client, sent };
  }

  test("is shown, and its messages are returned", async () => {
    const server = await serveModel(openAi, [{ text: "Hello." }]);
    const client = await connect(version, {
      handle: async ({ turn }) => {
        const result = streamText({ model: server.model, prompt: "Hi", abortSignal: turn.signal, onError() {} });
        const { stopReason, messages, finishReason } = await sendStream(turn, result);
        expect({ messages, finishReason }).toMatchObject({
          messages: [{ role: "assistant", content: [{ type: "text", text: "Hello." }] }],
          finishReason: "stop",
        });
        return { stopReason };
      },
    });
    expect(await client.prompt("Hi")).toMatchObject({ stopReason: "end_turn" });
    expect(client.timeline()).toMatchObject([{ type: "agent_message", text: "Hello." }]);
  });

  test("shows sources once after the text, and files", async () => {
    const source = { type: "source", sourceType: "url", id: "1", url: "https://example.com/a", title: "A" } as const;
    const file = { base64: "aW1hZ2U=", uint8Array: new Uint8Array(), mediaType: "image/png" };
    const { timeline } = await send([
      { type: "text-start", id: "1" },
      source,
      { type: "text-delta", id: "1", text: "As A says." },
      { ...source, id: "2" },
      { type: "text-end", id: "1" },
      { type: "file", file },
    ]);
    expect(timeline()).toMatchObject([
      {
        type: "agent_message",
        chunks: [
          { type: "text", text: "As A says." },
          { type: "image", data: "aW1hZ2U=" },
          { type: "resource_link", uri: "https://example.com/a", name: "A" },
        ],
      },
    ]);
  });

  test("that fails ends its open calls", async () => {
    const { shown, sent } = await send([
      { type: "tool-input-start", id: "a", toolName: "write" },
      { type: "tool-input-delta", id: "a", delta: '{"path":"/a' },
      { type: "error", error: new TypeError("terminated") },
    ]);
    expect(sent).toBeInstanceOf(ModelError);
    expect(shown("tool_call")).toMatchObject([{ title: "write /a", status: version === 1 ? "failed" : "cancelled" }]);
  });
});

test("a stream waits while the client does not read", async () => {
  let pulled = 0;
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  async function* count(): AsyncGenerator<Part> {
    for (; pulled < 3;) {
      pulled += 1;
      yield await Promise.resolve({ type: "text-delta", id: "1", text: "word " } as const);
    }
  }
  let reached = (): void => {};
  const sending = new Promise<void>((resolve) => {
    reached = resolve;
  });
  // A turn as it is while a client does not read: a connection holds many messages before it comes to that.
  const turn = {
    signal: new AbortController().signal,
    session: {},
    ended: false,
    message: async () => {
      reached();
      await held;
    },
  } as unknown as AgentTurn;
  const sent = sendStream(turn, count());
  await sending;
  await new Promise((resolve) => setImmediate(resolve));
  expect(pulled).toBe(1);
  release();
  await sent;
  expect(pulled).toBe(3);
});

async function* toStream(parts: readonly Part[]): AsyncGenerator<Part> {
  for (const part of parts) yield await Promise.resolve(part);
}

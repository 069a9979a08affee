import { expect, test } from "vitest";

import { createByteTransport } from "../../src/transport/byte-transport.ts";
import { scriptedPipe } from "../../src/transport/testing/scripted-pipe.ts";
import { createAgent } from "../../src/v1/agent.ts";

const breaks = "a\nb\rc\r\nd\u2028e\u2029f";

/** What a connection writes is not searched for line breaks: it has none, wherever a text comes from. */
test("writes a line for each message, with line breaks in every text that can have them", async () => {
  const pipe = scriptedPipe();
  const agent = createAgent({
    info: { name: breaks, version: breaks },
    sessionId: () => breaks,
    handlers: {
      "session/prompt": async (_params, { turn, client }) => {
        await turn.message(breaks);
        await turn.update({
          sessionUpdate: "tool_call",
          toolCallId: breaks,
          title: breaks,
          rawInput: { [breaks]: { toJSON: () => breaks }, raw: rawJson('"\\n"') },
          _meta: { [breaks]: [breaks] },
        });
        await client.notify(`_${breaks}`, { [breaks]: breaks });
        throw new Error(breaks);
      },
      _fail: () => {
        throw Object.assign(new Error(breaks), { code: -32001, data: breaks });
      },
    },
  });
  agent.connect(createByteTransport(pipe));
  const say = async (message: object): Promise<void> => {
    pipe.receive(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  };
  await say({ id: breaks, method: "initialize", params: { protocolVersion: 1 } });
  await say({ id: 1e300, method: "session/new", params: { cwd: "/", mcpServers: [] } });
  await say({ id: 3, method: "session/prompt", params: { sessionId: breaks, prompt: [{ type: "text", text: "" }] } });
  await say({ id: 4, method: "_fail", params: {} });
  await say({ id: 5, method: `_${breaks}` });
  pipe.receive("no\rJSON\n");
  await new Promise((resolve) => setTimeout(resolve, 5));

  const text = pipe.writes.join("");
  const lines = text.split(/[\r\n]/);
  expect(lines.pop()).toBe("");
  const messages = lines.map((line): { readonly id?: unknown; readonly method?: string } => JSON.parse(line));
  expect(messages.map(({ id, method }) => method ?? id)).toEqual([
    breaks,
    1e300,
    "session/update",
    "session/update",
    `_${breaks}`,
    3,
    4,
    5,
    null,
  ]);
});

/** Newer runtimes have numbers and texts that are written as they are: `JSON.rawJSON`. */
function rawJson(text: string): unknown {
  const raw: unknown = Reflect.get(JSON, "rawJSON");
  return typeof raw === "function" ? raw(text) : JSON.parse(text);
}

import {
  convertToModelMessages,
  generateText,
  type ModelMessage,
  readUIMessageStream,
  streamText,
  type UIMessage,
  type UIMessageChunk,
} from "ai";
import { createAgent, createMemoryTransportPair, type SessionUpdate } from "@acp/core";
import { createAgent as createAgent2, type SessionUpdate as SessionUpdate2 } from "@acp/core/v2";
import { expect, onTestFinished, test } from "vitest";
import { type AcpProvider, acpProvider, type AgentDataParts, agentDataParts } from "../src/index.ts";

type Message = UIMessage<unknown, AgentDataParts>;

const info = { name: "agent", version: "1.0.0" };

/** How many sessions the agent of the test has opened. */
let opened = 0;

/** A provider on an agent that sends the updates of a list in every turn. */
async function provide(updates: readonly SessionUpdate[]): Promise<AcpProvider> {
  const [ours, theirs] = createMemoryTransportPair();
  opened = 0;
  createAgent({
    info,
    session: () => void (opened += 1),
    handlers: {
      "session/prompt": async (_params, { turn }) => {
        for (const update of updates) await turn.update(update);
        return { stopReason: "end_turn" };
      },
    },
  }).connect(theirs);
  return await open((client) => client.connect(ours));
}

async function provide2(updates: readonly SessionUpdate2[]): Promise<AcpProvider> {
  const [ours, theirs] = createMemoryTransportPair();
  createAgent2({
    info,
    handlers: {
      "session/prompt": async (_params, { turn }) => {
        for (const update of updates) await turn.update(update);
        return { stopReason: "end_turn" };
      },
    },
  }).connect(theirs);
  return await open((client) => client.connect(ours));
}

async function open(connect: Parameters<typeof acpProvider>[0]["connect"]): Promise<AcpProvider> {
  const provider = await acpProvider({ connect, cwd: "/project" });
  onTestFinished(() => provider.close());
  return provider;
}

/** What `useChat` gets, and each state of the message that it shows. */
async function show(provider: AcpProvider, messages: readonly UIMessage[] = []) {
  const all: UIMessage[] = [...messages, { id: "u", role: "user", parts: [{ type: "text", text: "Go" }] }];
  const prompt = await convertToModelMessages(all);
  const result = streamText({ model: provider.languageModel(), messages: prompt, onError() {} });
  const [chunks, stream] = result.toUIMessageStream().pipeThrough(agentDataParts()).tee();
  const states: Message[] = [];
  for await (const state of readUIMessageStream<Message>({ stream })) states.push(structuredClone(state));
  const seen: UIMessageChunk<unknown, AgentDataParts>[] = [];
  for await (const chunk of chunks) seen.push(chunk);
  const message = states.at(-1);
  if (message === undefined) throw new Error("Nothing was shown");
  return { message, chunks: seen, all: [...all, message] };
}

const toolOf = ({ parts }: Message) => parts.filter((part) => part.type === "dynamic-tool");
const outputs = (chunks: readonly UIMessageChunk<unknown, AgentDataParts>[]): unknown[] =>
  chunks.flatMap((chunk) => (chunk.type === "tool-output-available" ? [chunk.output] : []));

const run = { sessionUpdate: "tool_call", toolCallId: "c", title: "npm test", kind: "execute" } as const;
const running: SessionUpdate = { ...run, status: "in_progress", content: [{ type: "terminal", terminalId: "t" }] };
const meta = (_meta: Record<string, unknown>): SessionUpdate => {
  return { sessionUpdate: "tool_call_update", toolCallId: "c", _meta };
};

test("the output of a command grows as text while it runs, under the name that the agent gives it", async () => {
  const provider = await provide([
    { ...running, rawInput: { command: "npm test" } },
    meta({ terminal_output: { terminal_id: "t", data: "one\n" } }),
    meta({ terminal_output: { terminal_id: "t", data: "two\n" } }),
    meta({ terminal_exit: { terminal_id: "t", exit_code: 0, signal: null } }),
    { sessionUpdate: "tool_call_update", toolCallId: "c", status: "completed" },
  ]);
  const { message, chunks } = await show(provider);
  expect(toolOf(message)).toMatchObject([
    { toolName: "npm test", state: "output-available", input: { command: "npm test" }, output: "one\ntwo\n" },
  ]);
  expect(outputs(chunks)).toEqual(["one\n", "one\ntwo\n", "one\ntwo\n"]);
});

test("the output of a terminal of version 2 is text, even when a letter comes in two pieces", async () => {
  const bytes = new TextEncoder().encode("grün");
  const base64 = (part: Uint8Array): string => Buffer.from(part).toString("base64");
  const provider = await provide2([
    { sessionUpdate: "terminal_update", terminalId: "t", command: "echo" },
    {
      sessionUpdate: "tool_call_update",
      toolCallId: "c",
      title: "echo",
      status: "in_progress",
      content: [{ type: "terminal", terminalId: "t" }],
    },
    { sessionUpdate: "terminal_output_chunk", terminalId: "t", data: base64(bytes.slice(0, 3)) },
    { sessionUpdate: "terminal_output_chunk", terminalId: "t", data: base64(bytes.slice(3)) },
    { sessionUpdate: "terminal_update", terminalId: "t", exitStatus: { exitCode: 2 } },
    { sessionUpdate: "tool_call_update", toolCallId: "c", status: "completed" },
  ]);
  const { message, chunks } = await show(provider);
  expect(outputs(chunks)).toEqual(["gr", "grün"]);
  expect(toolOf(message)).toMatchObject([{ state: "output-error", errorText: "grün\nExit code 2" }]);
});

test.each([
  ["says so", { status: "failed", content: [{ type: "content", content: { type: "text", text: "No such file" } }] }],
  ["has an exit code", { status: "completed", rawOutput: { exitCode: 1, output: "No such file" } }],
] as const)("a command that has failed, and %s, is an error in words", async (_how, end) => {
  const provider = await provide([
    { ...run, status: "in_progress" },
    { sessionUpdate: "tool_call_update", toolCallId: "c", ...end, content: "content" in end ? [...end.content] : [] },
  ]);
  const { message } = await show(provider);
  const [part] = toolOf(message);
  expect(part).toMatchObject({ state: "output-error", toolName: "npm test" });
  expect(part?.errorText).toMatch(/^No such file\n(Failed|Exit code 1)$/u);
});

test("a plan and the changes of files are typed data parts, each as it is now", async () => {
  const entry = (status: "pending" | "completed") => ({ content: "Mend it", priority: "high" as const, status });
  const provider = await provide([
    { sessionUpdate: "plan", entries: [entry("pending")] },
    { ...run, title: "Edit a.ts", kind: "edit", status: "in_progress" },
    {
      sessionUpdate: "tool_call_update",
      toolCallId: "c",
      status: "completed",
      content: [{ type: "diff", path: "/p/a.ts", oldText: "let a;", newText: "const a = 1;" }],
    },
    { sessionUpdate: "plan", entries: [entry("completed")] },
    { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Done" } },
  ]);
  const { message } = await show(provider);
  expect(message.parts.filter((part) => part.type === "data-plan")).toMatchObject([
    { data: { entries: [{ content: "Mend it", status: "completed" }] } },
  ]);
  expect(message.parts.filter((part) => part.type === "data-diff")).toMatchObject([
    { data: { toolCallId: "c", path: "/p/a.ts", oldText: "let a;", newText: "const a = 1;" } },
  ]);
  expect(toolOf(message)).toMatchObject([{ toolName: "Edit a.ts", output: "Changed /p/a.ts" }]);
});

test("a plan without the transform is a tool whose output changes", async () => {
  const provider = await provide([
    { sessionUpdate: "plan", entries: [{ content: "One", priority: "low", status: "pending" }] },
    { sessionUpdate: "plan", entries: [{ content: "One", priority: "low", status: "completed" }] },
  ]);
  const { content } = await generateText({ model: provider.languageModel(), prompt: "Go" });
  expect(content).toMatchObject([
    { type: "tool-call", toolName: "plan" },
    { type: "tool-result", output: { entries: [{ content: "One", status: "completed" }] } },
  ]);
});

test.each(["what the UI sends back", "what streamText keeps"])("%s finds its session again", async (kept) => {
  const provider = await provide([
    { sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "Hm" } },
    { sessionUpdate: "plan", entries: [{ content: "One", priority: "low", status: "pending" }] },
    running,
    meta({ terminal_output: { terminal_id: "t", data: "one\n" } }),
    meta({ terminal_output: { terminal_id: "t", data: "two\n" } }),
    { sessionUpdate: "tool_call_update", toolCallId: "c", status: "completed", rawOutput: { b: 1, a: 2 } },
    { sessionUpdate: "agent_message_chunk", content: { type: "image", data: "aQ==", mimeType: "image/png" } },
    {
      ...run,
      toolCallId: "d",
      status: "failed",
      content: [{ type: "content", content: { type: "text", text: "{}" } }],
    },
    { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Done" } },
  ]);
  const model = provider.languageModel();
  const messages: ModelMessage[] = [{ role: "user", content: "Go" }];
  const sessions: unknown[] = [];
  if (kept === "what streamText keeps") {
    const { responseMessages, providerMetadata } = streamText({ model, messages });
    messages.push(...(await responseMessages));
    sessions.push((await providerMetadata)?.["acp"]?.["sessionId"]);
  } else {
    const { all } = await show(provider);
    messages.splice(0, 1, ...(await convertToModelMessages(all)));
  }
  for (let count = 0; count < 2; count++) {
    messages.push({ role: "user", content: "Next" });
    const { responseMessages, providerMetadata } = streamText({ model, messages });
    messages.push(...(await responseMessages));
    sessions.push((await providerMetadata)?.["acp"]?.["sessionId"]);
  }
  expect(new Set(sessions).size).toBe(1);
  expect(opened).toBe(1);
});

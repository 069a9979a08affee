/** For every method of the tables a valid message, with as many of its members as go together. */
import { readSchema } from "@acp/codegen/testing";

/** A message that is received: the params of a method. */
export interface ParamsSample extends Sample {
  /** What is answered if the params can be read, as JSON text; nothing for a notification. */
  readonly answer?: string | undefined;
  /** What the diagnostics name then. */
  readonly diagnostic?: string;
}

/** The answer to a call. */
export interface ResultSample extends Sample {
  readonly result: object;
}

interface Sample {
  readonly method: string;
  /** Its definition in the schema. */
  readonly definition: string;
  readonly params: object;
}

const definitions = Object.entries(readSchema("v1").$defs ?? {});

/** The definition of what a method sends or gets: the schema names the method in it. */
function definitionOf(method: string, isResult: boolean): string {
  const found = definitions.find(
    ([name, schema]) =>
      typeof schema === "object" && schema["x-method"] === method && name.endsWith("Response") === isResult,
  );
  if (found === undefined) throw new Error(`The schema does not say what belongs to ${method}`);
  return found[0];
}

/** The params of a method, and what is different with it. */
type Params = readonly [method: string, params: object, more?: Partial<ParamsSample>];

function paramsOf([method, params, more]: Params): ParamsSample {
  const definition = definitionOf(method, false);
  return { method, definition, params, answer: definition.endsWith("Request") ? answered : undefined, ...more };
}

/** The params of a call, and its result. */
type Call = readonly [method: string, params: object, result: object];

function resultOf([method, params, result]: Call): ResultSample {
  return { method, definition: definitionOf(method, true), params, result };
}

const _meta = { trace: 1 };
const session = { sessionId: "<session>" };
const sessionSetup = {
  cwd: "/work",
  additionalDirectories: ["/more"],
  mcpServers: [
    { name: "files", command: "/bin/files", args: ["-v"], env: [{ name: "A", value: "b", _meta }], _meta },
    { type: "http", name: "web", url: "https://example.com", headers: [{ name: "A", value: "b" }] },
    { type: "sse", name: "old", url: "https://example.com", headers: [] },
  ],
  _meta,
};
const annotations = { audience: ["user"], priority: 0.5, lastModified: "2026-01-01T00:00:00Z", _meta };
const contentBlocks = [
  { type: "text", text: "hello", annotations, _meta },
  { type: "image", data: "AAAA", mimeType: "image/png", uri: "file:///a.png" },
  { type: "audio", data: "AAAA", mimeType: "audio/wav" },
  { type: "resource_link", uri: "file:///a", name: "a", mimeType: "text/plain", title: "A", description: "a", size: 1 },
  { type: "resource", resource: { uri: "file:///a", text: "a", mimeType: "text/plain", _meta } },
  { type: "resource", resource: { uri: "file:///a", blob: "AAAA" } },
];
const text = { type: "text", text: "hello" };
const toolCall = {
  toolCallId: "t",
  title: "Read",
  kind: "read",
  status: "pending",
  name: "read",
  content: [
    { type: "content", content: text },
    { type: "diff", path: "/a", oldText: "a", newText: "b" },
    { type: "terminal", terminalId: "t" },
  ],
  locations: [{ path: "/a", line: 1, _meta }],
  rawInput: { a: 1 },
  rawOutput: { a: 1 },
  _meta,
};
const selectOption = {
  type: "select",
  id: "model",
  name: "Model",
  description: "Which",
  category: "model",
  currentValue: "a",
  options: [{ value: "a", name: "A", description: "a" }],
};
const groupedOption = {
  ...selectOption,
  options: [{ group: "g", name: "G", options: [{ value: "a", name: "A" }] }],
};
const configOptions = [selectOption, groupedOption, { type: "boolean", id: "fast", name: "Fast", currentValue: true }];
const modes = { currentModeId: "ask", availableModes: [{ id: "ask", name: "Ask", description: "a" }], _meta };
const answered = '{"jsonrpc":"2.0","id":1,"result":"<any>"}';
const alreadyInitialized =
  '{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"Invalid request: initialize was called already","data":{"reason":"initialize was called already"}}}';

export const agentParams: readonly ParamsSample[] = (
  [
    [
      "initialize",
      {
        protocolVersion: 1,
        clientCapabilities: {
          fs: { readTextFile: true, writeTextFile: true, _meta },
          terminal: true,
          auth: { terminal: true },
          elicitation: { form: {}, url: {} },
          session: { notices: {}, compaction: {}, configOptions: { boolean: {} } },
          _meta,
        },
        clientInfo: { name: "x", title: "X", version: "1", _meta },
        _meta,
      },
      { answer: alreadyInitialized, diagnostic: "invalid-message initialize" },
    ],
    ["authenticate", { methodId: "login", _meta }],
    ["logout", { _meta }],
    ["session/new", sessionSetup],
    ["session/load", { ...session, ...sessionSetup }],
    ["session/resume", { ...session, ...sessionSetup }],
    ["session/list", { cwd: "/work", cursor: "c", _meta }],
    ["session/close", { ...session, _meta }],
    ["session/delete", { ...session, _meta }],
    ["session/set_mode", { ...session, modeId: "ask", _meta }],
    ["session/set_config_option", { ...session, configId: "effort", value: "low", _meta }],
    ["session/set_config_option", { ...session, configId: "fast", type: "boolean", value: true }],
    ["session/prompt", { ...session, prompt: contentBlocks.slice(1), _meta }],
    ["session/cancel", { ...session, _meta }],
  ] satisfies Params[]
).map(paramsOf);

/** Every variant of an update. */
const updates: readonly object[] = [
  { sessionUpdate: "user_message_chunk", content: text, messageId: "m", _meta },
  ...contentBlocks.map((content) => ({ sessionUpdate: "agent_message_chunk", content, messageId: "m", _meta })),
  { sessionUpdate: "agent_thought_chunk", content: text },
  { sessionUpdate: "tool_call", ...toolCall },
  { sessionUpdate: "tool_call_update", ...toolCall },
  { sessionUpdate: "plan", entries: [{ content: "a", priority: "high", status: "pending", _meta }], _meta },
  {
    sessionUpdate: "available_commands_update",
    availableCommands: [{ name: "web", description: "a", input: { hint: "h" }, _meta }],
  },
  { sessionUpdate: "current_mode_update", currentModeId: "ask" },
  { sessionUpdate: "config_option_update", configOptions },
  { sessionUpdate: "session_info_update", title: "A", updatedAt: "2026-01-01T00:00:00Z" },
  { sessionUpdate: "usage_update", used: 1, size: 2, cost: { amount: 1, currency: "USD" } },
  { sessionUpdate: "notice", severity: "warning", title: "A", description: "a" },
  { sessionUpdate: "compaction_update", compactionId: "c", status: "completed", summary: [text] },
  { sessionUpdate: "compaction_summary_chunk", compactionId: "c", content: text },
];

const formSchema = {
  type: "object",
  title: "A",
  description: "a",
  properties: {
    name: { type: "string", title: "A", minLength: 1, maxLength: 9, pattern: "a", format: "email", default: "a" },
    size: { type: "integer", minimum: 1, maximum: 9, default: 2 },
    rate: { type: "number", minimum: 0.5 },
    fast: { type: "boolean", default: true },
    tags: { type: "array", items: { type: "string", enum: ["a", "b"] }, minItems: 1 },
  },
  required: ["name"],
};

export const clientParams: readonly ParamsSample[] = (
  [
    ["fs/read_text_file", { ...session, path: "/a", line: 1, limit: 2, _meta }],
    ["fs/write_text_file", { ...session, path: "/a", content: "a", _meta }],
    [
      "session/request_permission",
      { ...session, toolCall, options: [{ optionId: "a", name: "A", kind: "allow_once", _meta }], _meta },
    ],
    [
      "terminal/create",
      {
        ...session,
        command: "ls",
        args: ["-l"],
        env: [{ name: "A", value: "b" }],
        cwd: "/work",
        outputByteLimit: 9,
        _meta,
      },
    ],
    ["terminal/output", { ...session, terminalId: "t", _meta }],
    ["terminal/wait_for_exit", { ...session, terminalId: "t", _meta }],
    ["terminal/kill", { ...session, terminalId: "t", _meta }],
    ["terminal/release", { ...session, terminalId: "t", _meta }],
    [
      "elicitation/create",
      { ...session, toolCallId: "t", mode: "form", message: "a", requestedSchema: formSchema, _meta },
    ],
    ["elicitation/create", { requestId: 7, mode: "url", message: "a", elicitationId: "e", url: "https://example.com" }],
    ["elicitation/complete", { elicitationId: "e", _meta }, { diagnostic: "rule" }],
    ...updates.map((update): Params => ["session/update", { ...session, update }]),
  ] satisfies Params[]
).map(paramsOf);

const setup = { cwd: "/work", mcpServers: [] };

/** What a client gets as answers. */
export const clientResults: readonly ResultSample[] = (
  [
    ["authenticate", { methodId: "login" }, { _meta }],
    ["logout", {}, { _meta }],
    ["session/new", setup, { sessionId: "new", modes, configOptions, _meta }],
    ["session/load", { ...session, ...setup }, { modes, configOptions, _meta }],
    ["session/resume", { ...session, cwd: "/work" }, { modes, configOptions, _meta }],
    [
      "session/list",
      {},
      {
        sessions: [
          {
            sessionId: "s",
            cwd: "/work",
            additionalDirectories: ["/a"],
            title: "A",
            updatedAt: "2026-01-01T00:00:00Z",
            _meta,
          },
        ],
        nextCursor: "c",
        _meta,
      },
    ],
    ["session/close", session, { _meta }],
    ["session/delete", session, { _meta }],
    ["session/set_mode", { ...session, modeId: "ask" }, { _meta }],
    ["session/set_config_option", { ...session, configId: "model", value: "a" }, { configOptions, _meta }],
    ["session/prompt", { ...session, prompt: [] }, { stopReason: "end_turn", _meta }],
  ] satisfies Call[]
).map(resultOf);

const toolSession = { sessionId: "s" };

/** What an agent gets as answers. */
export const agentResults: readonly ResultSample[] = (
  [
    ["fs/read_text_file", { ...toolSession, path: "/a" }, { content: "a", _meta }],
    ["fs/write_text_file", { ...toolSession, path: "/a", content: "" }, { _meta }],
    [
      "session/request_permission",
      {
        ...toolSession,
        toolCall: { toolCallId: "t" },
        options: [{ optionId: "a", name: "A", kind: "allow_once" }],
      },
      { outcome: { outcome: "selected", optionId: "a", _meta }, _meta },
    ],
    ["terminal/create", { ...toolSession, command: "ls" }, { terminalId: "t", _meta }],
    [
      "terminal/output",
      { ...toolSession, terminalId: "t" },
      { output: "a", truncated: false, exitStatus: { exitCode: 0, signal: "SIGTERM", _meta }, _meta },
    ],
    ["terminal/wait_for_exit", { ...toolSession, terminalId: "t" }, { exitCode: 0, signal: "SIGTERM", _meta }],
    ["terminal/kill", { ...toolSession, terminalId: "t" }, { _meta }],
    ["terminal/release", { ...toolSession, terminalId: "t" }, { _meta }],
    [
      "elicitation/create",
      { ...toolSession, mode: "form", message: "a", requestedSchema: { type: "object", properties: {} } },
      { action: "accept", content: { name: "a", size: 1, fast: true, tags: ["a"] }, _meta },
    ],
  ] satisfies Call[]
).map(resultOf);

/** For every method of the tables a valid message, with as many of its members as go together. */

/** A message that is received: the params of a method. */
export interface ParamsSample {
  readonly method: string;
  /** Its definition in the schema. */
  readonly definition: string;
  readonly params: object;
  /** What is answered if the params can be read, as JSON text; nothing for a notification. */
  readonly answer?: string;
  /** What the diagnostics name then. */
  readonly diagnostic?: string;
}

/** The answer to a call. */
export interface ResultSample {
  readonly method: string;
  readonly definition: string;
  readonly params: object;
  readonly result: object;
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

export const agentParams: readonly ParamsSample[] = [
  {
    method: "initialize",
    definition: "InitializeRequest",
    params: {
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
    answer: alreadyInitialized,
    diagnostic: "invalid-message initialize",
  },
  { method: "authenticate", definition: "AuthenticateRequest", params: { methodId: "login", _meta }, answer: answered },
  { method: "logout", definition: "LogoutRequest", params: { _meta }, answer: answered },
  { method: "session/new", definition: "NewSessionRequest", params: sessionSetup, answer: answered },
  {
    method: "session/load",
    definition: "LoadSessionRequest",
    params: { ...session, ...sessionSetup },
    answer: answered,
  },
  {
    method: "session/resume",
    definition: "ResumeSessionRequest",
    params: { ...session, ...sessionSetup },
    answer: answered,
  },
  {
    method: "session/list",
    definition: "ListSessionsRequest",
    params: { cwd: "/work", cursor: "c", _meta },
    answer: answered,
  },
  { method: "session/close", definition: "CloseSessionRequest", params: { ...session, _meta }, answer: answered },
  { method: "session/delete", definition: "DeleteSessionRequest", params: { ...session, _meta }, answer: answered },
  {
    method: "session/set_mode",
    definition: "SetSessionModeRequest",
    params: { ...session, modeId: "ask", _meta },
    answer: answered,
  },
  {
    method: "session/set_config_option",
    definition: "SetSessionConfigOptionRequest",
    params: { ...session, configId: "effort", value: "low", _meta },
    answer: answered,
  },
  {
    method: "session/set_config_option",
    definition: "SetSessionConfigOptionRequest",
    params: { ...session, configId: "fast", type: "boolean", value: true },
    answer: answered,
  },
  {
    method: "session/prompt",
    definition: "PromptRequest",
    params: { ...session, prompt: contentBlocks.slice(1), _meta },
    answer: answered,
  },
  { method: "session/cancel", definition: "CancelNotification", params: { ...session, _meta } },
];

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

export const clientParams: readonly ParamsSample[] = [
  {
    method: "fs/read_text_file",
    definition: "ReadTextFileRequest",
    params: { ...session, path: "/a", line: 1, limit: 2, _meta },
    answer: answered,
  },
  {
    method: "fs/write_text_file",
    definition: "WriteTextFileRequest",
    params: { ...session, path: "/a", content: "a", _meta },
    answer: answered,
  },
  {
    method: "session/request_permission",
    definition: "RequestPermissionRequest",
    params: { ...session, toolCall, options: [{ optionId: "a", name: "A", kind: "allow_once", _meta }], _meta },
    answer: answered,
  },
  {
    method: "terminal/create",
    definition: "CreateTerminalRequest",
    params: {
      ...session,
      command: "ls",
      args: ["-l"],
      env: [{ name: "A", value: "b" }],
      cwd: "/work",
      outputByteLimit: 9,
      _meta,
    },
    answer: answered,
  },
  {
    method: "terminal/output",
    definition: "TerminalOutputRequest",
    params: { ...session, terminalId: "t", _meta },
    answer: answered,
  },
  {
    method: "terminal/wait_for_exit",
    definition: "WaitForTerminalExitRequest",
    params: { ...session, terminalId: "t", _meta },
    answer: answered,
  },
  {
    method: "terminal/kill",
    definition: "KillTerminalRequest",
    params: { ...session, terminalId: "t", _meta },
    answer: answered,
  },
  {
    method: "terminal/release",
    definition: "ReleaseTerminalRequest",
    params: { ...session, terminalId: "t", _meta },
    answer: answered,
  },
  {
    method: "elicitation/create",
    definition: "CreateElicitationRequest",
    params: { ...session, toolCallId: "t", mode: "form", message: "a", requestedSchema: formSchema, _meta },
    answer: answered,
  },
  {
    method: "elicitation/create",
    definition: "CreateElicitationRequest",
    params: { requestId: 7, mode: "url", message: "a", elicitationId: "e", url: "https://example.com" },
    answer: answered,
  },
  {
    method: "elicitation/complete",
    definition: "CompleteElicitationNotification",
    params: { elicitationId: "e", _meta },
    // Nobody was asked.
    diagnostic: "rule",
  },
  ...updates.map((update) => ({
    method: "session/update",
    definition: "SessionNotification",
    params: { ...session, update },
  })),
];

const setup = { cwd: "/work", mcpServers: [] };

/** What a client gets as answers. */
export const clientResults: readonly ResultSample[] = [
  { method: "authenticate", definition: "AuthenticateResponse", params: { methodId: "login" }, result: { _meta } },
  { method: "logout", definition: "LogoutResponse", params: {}, result: { _meta } },
  {
    method: "session/new",
    definition: "NewSessionResponse",
    params: setup,
    result: { sessionId: "new", modes, configOptions, _meta },
  },
  {
    method: "session/load",
    definition: "LoadSessionResponse",
    params: { ...session, ...setup },
    result: { modes, configOptions, _meta },
  },
  {
    method: "session/resume",
    definition: "ResumeSessionResponse",
    params: { ...session, cwd: "/work" },
    result: { modes, configOptions, _meta },
  },
  {
    method: "session/list",
    definition: "ListSessionsResponse",
    params: {},
    result: {
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
  },
  { method: "session/close", definition: "CloseSessionResponse", params: session, result: { _meta } },
  { method: "session/delete", definition: "DeleteSessionResponse", params: session, result: { _meta } },
  {
    method: "session/set_mode",
    definition: "SetSessionModeResponse",
    params: { ...session, modeId: "ask" },
    result: { _meta },
  },
  {
    method: "session/set_config_option",
    definition: "SetSessionConfigOptionResponse",
    params: { ...session, configId: "model", value: "a" },
    result: { configOptions, _meta },
  },
  {
    method: "session/prompt",
    definition: "PromptResponse",
    params: { ...session, prompt: [] },
    result: { stopReason: "end_turn", _meta },
  },
];

const toolSession = { sessionId: "s" };

/** What an agent gets as answers. */
export const agentResults: readonly ResultSample[] = [
  {
    method: "fs/read_text_file",
    definition: "ReadTextFileResponse",
    params: { ...toolSession, path: "/a" },
    result: { content: "a", _meta },
  },
  {
    method: "fs/write_text_file",
    definition: "WriteTextFileResponse",
    params: { ...toolSession, path: "/a", content: "" },
    result: { _meta },
  },
  {
    method: "session/request_permission",
    definition: "RequestPermissionResponse",
    params: {
      ...toolSession,
      toolCall: { toolCallId: "t" },
      options: [{ optionId: "a", name: "A", kind: "allow_once" }],
    },
    result: { outcome: { outcome: "selected", optionId: "a", _meta }, _meta },
  },
  {
    method: "terminal/create",
    definition: "CreateTerminalResponse",
    params: { ...toolSession, command: "ls" },
    result: { terminalId: "t", _meta },
  },
  {
    method: "terminal/output",
    definition: "TerminalOutputResponse",
    params: { ...toolSession, terminalId: "t" },
    result: { output: "a", truncated: false, exitStatus: { exitCode: 0, signal: "SIGTERM", _meta }, _meta },
  },
  {
    method: "terminal/wait_for_exit",
    definition: "WaitForTerminalExitResponse",
    params: { ...toolSession, terminalId: "t" },
    result: { exitCode: 0, signal: "SIGTERM", _meta },
  },
  {
    method: "terminal/kill",
    definition: "KillTerminalResponse",
    params: { ...toolSession, terminalId: "t" },
    result: { _meta },
  },
  {
    method: "terminal/release",
    definition: "ReleaseTerminalResponse",
    params: { ...toolSession, terminalId: "t" },
    result: { _meta },
  },
  {
    method: "elicitation/create",
    definition: "CreateElicitationResponse",
    params: { ...toolSession, mode: "form", message: "a", requestedSchema: { type: "object", properties: {} } },
    result: { action: "accept", content: { name: "a", size: 1, fast: true, tags: ["a"] }, _meta },
  },
];

import type { Json } from "../interop/json.ts";

/** Custom data as every message may carry it (EXT-01). */
export const meta: Json = {
  "example.com/trace": { id: "α-1", nested: [1, null, { deep: true }] },
  traceparent: "00-a-b-01",
};

const annotations: Json = {
  audience: ["user", "assistant"],
  priority: 0.5,
  lastModified: "2026-01-02T03:04:05Z",
  _meta: meta,
};

/** A block of every kind of content, with every member. */
export const contentBlocks: Readonly<Record<string, Json>> = {
  text: { type: "text", text: 'Grüße, 世界 🌍\u2028\n\t"quoted"', annotations, _meta: meta },
  image: { type: "image", data: "aGVsbG8=", mimeType: "image/png", uri: "file:///a.png", annotations, _meta: meta },
  audio: { type: "audio", data: "aGVsbG8=", mimeType: "audio/wav", annotations, _meta: meta },
  resource_link: {
    type: "resource_link",
    uri: "file:///project/a.ts",
    name: "a.ts",
    title: "A",
    description: "A file",
    mimeType: "text/x-typescript",
    size: 42,
    annotations,
    _meta: meta,
  },
  resource: {
    type: "resource",
    resource: { uri: "file:///project/a.ts", text: "let a;", mimeType: "text/x-typescript", _meta: meta },
    annotations,
    _meta: meta,
  },
};

/** The other form of an embedded resource. */
export const blobResource: Json = {
  type: "resource",
  resource: { uri: "file:///project/a.bin", blob: "AAEC", mimeType: "application/octet-stream", _meta: meta },
};

export const modes: Json = {
  currentModeId: "ask",
  availableModes: [
    { id: "ask", name: "Ask", description: "Asks first", _meta: meta },
    { id: "code", name: "Code" },
  ],
  _meta: meta,
};

const selectOption: Json = {
  type: "select",
  id: "model",
  name: "Model",
  description: "Which one",
  category: "model",
  currentValue: "small",
  options: [
    { value: "small", name: "Small", description: "Fast", _meta: meta },
    { value: "large", name: "Large" },
  ],
  _meta: meta,
};

const groupedOption: Json = {
  type: "select",
  id: "effort",
  name: "Effort",
  category: "thought_level",
  currentValue: "low",
  options: [{ group: "usual", name: "Usual", options: [{ value: "low", name: "Low" }], _meta: meta }],
};

const booleanOption: Json = {
  type: "boolean",
  id: "web",
  name: "Web search",
  currentValue: true,
  category: "_own",
};

export const configOptions: readonly Json[] = [selectOption, groupedOption, booleanOption];

const toolCallContent: readonly Json[] = [
  { type: "content", content: contentBlocks["text"], _meta: meta },
  { type: "diff", path: "/project/a.ts", oldText: null, newText: "let a;", _meta: meta },
  { type: "diff", path: "/project/b.ts", oldText: "let a;", newText: "let b;" },
  { type: "terminal", terminalId: "terminal-1", _meta: meta },
];

const toolCall: Json = {
  toolCallId: "call-1",
  title: "Read a.ts",
  kind: "switch_mode",
  status: "in_progress",
  content: toolCallContent,
  locations: [{ path: "/project/a.ts", line: 3, _meta: meta }, { path: "C:\\work\\b.ts" }],
  rawInput: { path: "a.ts", list: [1] },
  rawOutput: "plain text",
  name: "read_file",
  _meta: meta,
};

/** An update of every variant, with every member. */
export const updates: Readonly<Record<string, Json>> = {
  user_message_chunk: { messageId: "message-1", content: contentBlocks["text"], _meta: meta },
  agent_message_chunk: { messageId: "message-2", content: contentBlocks["image"], _meta: meta },
  agent_thought_chunk: { messageId: "message-3", content: contentBlocks["resource"], _meta: meta },
  tool_call: toolCall,
  tool_call_update: { ...toolCall, title: "Reading a.ts", kind: "read", status: "completed" },
  plan: {
    entries: [
      { content: "One", priority: "high", status: "completed", _meta: meta },
      { content: "Two", priority: "medium", status: "in_progress" },
      { content: "Three", priority: "low", status: "pending" },
    ],
    _meta: meta,
  },
  available_commands_update: {
    availableCommands: [
      { name: "web", description: "Search", input: { hint: "query", _meta: meta }, _meta: meta },
      { name: "test", description: "Test" },
    ],
    _meta: meta,
  },
  current_mode_update: { currentModeId: "code", _meta: meta },
  config_option_update: { configOptions, _meta: meta },
  session_info_update: { title: "A title", updatedAt: "2026-01-02T03:04:05Z", _meta: meta },
  usage_update: { used: 0, size: 200_000, cost: { amount: 0.25, currency: "USD", _meta: meta }, _meta: meta },
  notice: { severity: "warning", title: "Slow", description: "The network is slow", _meta: meta },
  compaction_update: {
    compactionId: "compaction-1",
    status: "completed",
    summary: [contentBlocks["text"]],
    error: null,
    _meta: meta,
  },
  compaction_summary_chunk: { compactionId: "compaction-1", content: contentBlocks["text"], _meta: meta },
};

export const mcpServers: readonly Json[] = [
  {
    name: "files",
    command: "/usr/bin/mcp",
    args: ["--stdio"],
    env: [{ name: "A", value: "1", _meta: meta }],
    _meta: meta,
  },
  { type: "http", name: "web", url: "https://example.com/mcp", headers: [{ name: "X", value: "1" }], _meta: meta },
  { type: "sse", name: "old", url: "https://example.com/sse", headers: [], _meta: meta },
];

export const permissionOptions: readonly Json[] = [
  { optionId: "a", name: "Allow", kind: "allow_once", _meta: meta },
  { optionId: "b", name: "Always allow", kind: "allow_always" },
  { optionId: "c", name: "Reject", kind: "reject_once" },
  { optionId: "d", name: "Always reject", kind: "reject_always" },
];

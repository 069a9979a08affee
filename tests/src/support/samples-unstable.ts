import type { Json } from "../interop/json.ts";
import { contentBlocks, meta } from "./samples.ts";

const usage: Json = {
  totalTokens: 9_007_199_254_740_991,
  inputTokens: 10,
  outputTokens: 0,
  thoughtTokens: 3,
  cachedReadTokens: null,
  cachedWriteTokens: 5,
  _meta: meta,
};

/** What a prompt's answer says of its tokens, with every member and with the least. */
export const usages: readonly Json[] = [usage, { totalTokens: 0, inputTokens: 0, outputTokens: 0 }];

/** A plan of every form, with every member. */
export const plans: Readonly<Record<string, Json>> = {
  items: {
    type: "items",
    planId: "plan-1",
    entries: [
      { content: "One", priority: "high", status: "completed", _meta: meta },
      { content: "Two", priority: "low", status: "pending" },
    ],
    _meta: meta,
  },
  markdown: { type: "markdown", planId: "plan ü", content: "# Plan\n- [x] Grüße\n", _meta: meta },
  file: { type: "file", planId: "0", uri: "file:///project/plan.md", _meta: meta },
};

const error: Json = { code: -32_000, message: "No credit", data: { limit: 0 } };

/** A state of every kind that a subagent may be in; those that are idle for every reason. */
export const states: readonly Json[] = [
  ...["running", "requires_action", "unknown", "_acme_asleep"].map((state) => ({ state, _meta: meta })),
  ...["end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled", "_acme_bored", null].map((stopReason) => ({
    state: "idle",
    stopReason,
    usage,
    _meta: meta,
  })),
  { state: "idle", stopReason: "error", error },
  { state: "idle" },
];

/** An update of every unstable variant, with every member. */
export const unstableUpdates: Readonly<Record<string, Json>> = {
  plan_update: { plan: plans["items"], _meta: meta },
  plan_removed: { planId: "plan-1", _meta: meta },
  subagent_update: {
    sessionId: "subagent-1",
    title: "Search",
    description: "Looks for tests",
    capabilities: { cancel: { _meta: meta }, _meta: meta },
    state: { state: "running" },
    cwd: "/project/src",
    additionalDirectories: ["/project/more"],
    _meta: meta,
  },
  session_message: {
    messageId: "message-1",
    senderSessionId: "main",
    recipientSessionId: "subagent-1",
    senderMessageId: "message-2",
    recipientMessageId: "message-3",
    content: Object.values(contentBlocks),
    _meta: meta,
  },
  session_message_chunk: { messageId: "message-1", content: contentBlocks["text"], _meta: meta },
};

const system = { content: [contentBlocks["text"] ?? {}], _meta: meta };

/** A system prompt of every mode. */
export const systemPrompts: readonly Json[] = ["append", "override", "_acme_prepend"].map((mode) => ({
  mode,
  ...system,
}));

/** An MCP server that the client runs. */
export const acpServer = { type: "acp", serverId: "tools", name: "Tools" } as const;

/** What that server answers, and tells before. */
export const tools: Json = { tools: [{ name: "look", inputSchema: { type: "object" } }] };
export const toolsProgress = {
  method: "notifications/progress",
  params: { progressToken: "1", progress: 0.5 },
} as const;

/** What the official SDK wants to find in a request to such a server. */
export const mcpRequestMeta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

export const accounts: readonly Json[] = [
  { label: "me", active: true, name: "Me", email: "me@example.com", organization: "Example", _meta: meta },
  { label: "other", active: null, name: null, email: null, organization: null },
];

/** Providers as an agent lists them. */
export const providers: readonly Json[] = [
  {
    providerId: "main",
    supported: ["anthropic", "openai", "azure", "vertex", "bedrock", "_acme"],
    required: true,
    current: { apiType: "anthropic", baseUrl: "https://example.com/v1", _meta: meta },
    _meta: meta,
  },
  { providerId: "off", supported: [], required: false, current: null },
  { providerId: "never", supported: ["openai"], required: false },
];

import type { AskStep, CallStep, PermissionChoice, PlanStep } from "../script/steps.ts";

/** The versions of the protocol. */
export type ProtocolVersion = 1 | 2;

/** How the agent of a version says what a script tells it to. */
export interface AgentWords {
  /** The result of `initialize`. */
  initialized(capabilities: object): Readonly<Record<string, unknown>>;
  /** What begins a turn: answers the prompt at once, or nothing. */
  begins(turn: number): TurnWords;
  said(kind: "say" | "think", text: string, messageId: string): object;
  /** The first update of a call. */
  called(step: CallStep, id: string, status: string): object;
  /** A later one. */
  went(id: string, status: string, more: object): object;
  planned(step: PlanStep): object;
  /** The params of a request for permission, without the session. */
  asked(title: string, toolCall: object, options: readonly PermissionChoice[]): object;
  /** The end of a turn: the result of the prompt, or updates. */
  ended(stopReason: string, more: object): TurnWords;
  /** The end of a turn that fails after it has been answered; `undefined` where the prompt itself is answered. */
  broke(error: object): object | undefined;
}

/** What is sent when a turn begins or ends: an answer to the prompt, and updates. */
export interface TurnWords {
  readonly reply?: Readonly<Record<string, unknown>>;
  readonly updates: readonly object[];
}

const info = { name: "scripted-agent", version: "1.0.0" };
const kinds = ["read", "edit", "delete", "move", "search", "execute", "think", "fetch"];

/** The kind of a call, which its title may be. */
function kindOf({ call, kind }: CallStep): string {
  return kind ?? (kinds.includes(call) ? call : "other");
}

/** What a call has produced, as content of both versions. */
export function contentOf({ output, diff }: CallStep): object {
  const content = [
    ...(output === undefined ? [] : [{ type: "content", content: { type: "text", text: output } }]),
    ...(diff === undefined ? [] : [{ type: "diff", ...diff }]),
  ];
  return content.length === 0 ? {} : { content };
}

function entriesOf({ plan }: PlanStep): readonly object[] {
  return plan.map((entry) => ({
    priority: "medium",
    status: "pending",
    ...(typeof entry === "string" ? { content: entry } : entry),
  }));
}

const version1: AgentWords = {
  initialized: (capabilities) => ({
    protocolVersion: 1,
    agentInfo: info,
    agentCapabilities: capabilities,
    authMethods: [],
  }),
  begins: () => ({ updates: [] }),
  said: (kind, text) => ({
    sessionUpdate: kind === "say" ? "agent_message_chunk" : "agent_thought_chunk",
    content: { type: "text", text },
  }),
  called: (step, id, status) => ({
    sessionUpdate: "tool_call",
    toolCallId: id,
    title: step.call,
    kind: kindOf(step),
    status,
    ...(step.input === undefined ? {} : { rawInput: step.input }),
    ...step.more,
  }),
  went: (toolCallId, status, more) => ({ sessionUpdate: "tool_call_update", toolCallId, status, ...more }),
  planned: (step) => ({ sessionUpdate: "plan", entries: entriesOf(step) }),
  asked: (title, toolCall, options) => ({ toolCall: { title, ...toolCall }, options }),
  ended: (stopReason, more) => ({ reply: { stopReason, ...more }, updates: [] }),
  broke: () => undefined,
};

const version2: AgentWords = {
  initialized: (capabilities) => ({ protocolVersion: 2, info, capabilities }),
  begins: (turn) => ({
    reply: { messageId: `prompt-${turn}` },
    updates: [{ sessionUpdate: "state_update", state: "running" }],
  }),
  said: (kind, text, messageId) => ({
    sessionUpdate: kind === "say" ? "agent_message_chunk" : "agent_thought_chunk",
    messageId,
    content: { type: "text", text },
  }),
  called: (step, id, status) => ({ ...version1.called(step, id, status), sessionUpdate: "tool_call_update" }),
  went: version1.went,
  planned: (step) => ({
    sessionUpdate: "plan_update",
    plan: { type: "items", planId: "plan", entries: entriesOf(step) },
  }),
  asked: (title, toolCall, options) => ({
    title,
    subject: { type: "tool_call", toolCall: { title, ...toolCall } },
    options,
  }),
  ended: (stopReason, more) => ({
    updates: [{ sessionUpdate: "state_update", state: "idle", stopReason, ...more }],
  }),
  broke: (error) => ({ sessionUpdate: "state_update", state: "idle", stopReason: "error", error }),
};

/** What offers to allow once and to reject. */
const usualChoices: readonly PermissionChoice[] = [
  { optionId: "allow", name: "Allow", kind: "allow_once" },
  { optionId: "reject", name: "Reject", kind: "reject_once" },
];

/** The choices of a question. */
export function choicesOf(choices: AskStep["options"] | CallStep["ask"]): readonly PermissionChoice[] {
  return Array.isArray(choices) ? (choices as readonly PermissionChoice[]) : usualChoices;
}

/** The words of a version. */
export function wordsOf(protocol: ProtocolVersion): AgentWords {
  return protocol === 2 ? version2 : version1;
}

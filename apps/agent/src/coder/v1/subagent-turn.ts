import type { AnyTurn, ToolOutput } from "@acp/ai";
import { CapabilityError } from "@acp/core";
import type {
  AgentTurn,
  AgentTurnContext,
  ContentBlock,
  ReportedToolCall,
  SessionUpdate,
  Subagent as SubagentSession,
  ToolCallContent,
} from "@acp/core/unstable";

import type { Subagent } from "../subagents/task-tool.ts";

/**
 * Opens a session for a subagent, and tells the client of it. `undefined` for a client that did not advertise `subagents`,
 * which is an unstable part of version 1.
 */
export async function openSubagentSession(
  { turn, session: { cwd, client } }: AgentTurnContext<unknown>,
  title: string,
  signal: AbortSignal,
): Promise<Subagent | undefined> {
  if (client.capabilities.subagents == null) return undefined;
  const session = await turn.subagent({ title, cwd, state: { state: "running" } });
  return {
    turn: createSubagentTurn(turn, session, signal),
    end: (stopReason) => session.report({ state: toIdleState(stopReason) }),
  };
}

type IdleState = Extract<Parameters<SubagentSession["report"]>[0]["state"], { readonly state: "idle" }>;

function toIdleState(stopReason: string): IdleState {
  switch (stopReason) {
    case "end_turn":
    case "max_tokens":
    case "max_turn_requests":
    case "refusal":
    case "cancelled":
      return { state: "idle", stopReason };
    default:
      return { state: "idle", stopReason: "error", error: { code: -32603, message: "The subagent has failed" } };
  }
}

/** A turn whose updates go to the session of the subagent. */
function createSubagentTurn(parent: AgentTurn, subagent: SubagentSession, signal: AbortSignal): AnyTurn {
  const update = (change: SessionUpdate): Promise<void> => subagent.update(change);
  const messages = new Messages(update);
  const session = { ...pickSession(parent), id: subagent.id, client: withDetails(parent, subagent), signal, update };
  const offer = async (change: SessionUpdate): Promise<boolean> => {
    try {
      await update(change);
      return true;
    } catch (error) {
      if (error instanceof CapabilityError) return false;
      throw error;
    }
  };
  const turn: object = {
    signal,
    session: { ...session, offer },
    ended: false,
    message: (content: string | ContentBlock, options?: Options) =>
      messages.send("agent_message_chunk", content, options),
    thought: (content: string | ContentBlock, options?: Options) =>
      messages.send("agent_thought_chunk", content, options),
    plan: () => Promise.resolve(),
    update,
    offer,
    toolCall: async ({ content, toolCallId = crypto.randomUUID(), ...call }: NewCall) => {
      messages.end();
      await update({ sessionUpdate: "tool_call", status: "in_progress", ...call, toolCallId, ...toContent(content) });
      return createCall(toolCallId, { ...call, ...toContent(content) }, { parent, subagent, update });
    },
  };
  return turn as AnyTurn;
}

type NewCall = Omit<Parameters<AgentTurn["toolCall"]>[0], "content"> & { readonly content?: ToolOutput };

interface Options {
  readonly newMessage?: boolean;
}

function pickSession({ session: { cwd, additionalDirectories, meta, state } }: AgentTurn): object {
  return { cwd, additionalDirectories, meta, state };
}

/** The client, with calls that go to the session of the subagent: its files and terminals are there. */
function withDetails({ session }: AgentTurn, { client }: SubagentSession): object {
  const { capabilities, info, meta } = session.client;
  return Object.assign(Object.create(client) as object, { capabilities, info, meta });
}

interface CallLink {
  readonly parent: AgentTurn;
  readonly subagent: SubagentSession;
  update(change: SessionUpdate): Promise<void>;
}

function createCall(toolCallId: string, first: object, { parent, subagent, update }: CallLink): ReportedToolCall {
  let shown = pickAsked(first);
  const report: ReportedToolCall["update"] = ({ content, ...changes }) => {
    const change = { ...changes, ...toContent(content) };
    shown = { ...shown, ...pickAsked(change) };
    return update({ sessionUpdate: "tool_call_update", toolCallId, ...change });
  };
  return {
    id: toolCallId,
    // What the user allows for good counts for the whole session, whoever has asked.
    turn: parent as object as ReportedToolCall["turn"],
    update: report,
    complete: (content) => report({ status: "completed", content }),
    fail: (content) => report({ status: "failed", content }),
    requestPermission: async (options = []) => {
      const toolCall = { toolCallId, ...shown };
      const question = { toolCall, options: [...options] };
      const answer = await subagent.client.request("session/request_permission", question, { signal: parent.signal });
      return answer.outcome;
    },
  };
}

/** What a question repeats of its call, as other calls do. */
function pickAsked(change: object): object {
  const members = new Set(["title", "kind", "locations", "rawInput", "content"]);
  return Object.fromEntries(Object.entries(change).filter(([name, value]) => members.has(name) && value != null));
}

function toContent(output: ToolOutput | undefined): { content?: ToolCallContent[] } {
  if (output === undefined) return {};
  const parts = typeof output === "string" ? [{ type: "text" as const, text: output }] : output;
  const items = parts.map((part) =>
    part.type === "content" || part.type === "diff" || part.type === "terminal"
      ? part
      : { type: "content" as const, content: part },
  );
  return { content: items as ToolCallContent[] };
}

/** Gives the parts of a message one id. */
class Messages {
  readonly #update: (change: SessionUpdate) => Promise<void>;
  #open: { readonly kind: string; readonly messageId: string } | undefined;

  constructor(update: (change: SessionUpdate) => Promise<void>) {
    this.#update = update;
  }

  send(
    kind: "agent_message_chunk" | "agent_thought_chunk",
    content: string | ContentBlock,
    { newMessage = false }: Options = {},
  ): Promise<void> {
    if (newMessage || this.#open?.kind !== kind) this.#open = { kind, messageId: crypto.randomUUID() };
    const block: ContentBlock = typeof content === "string" ? { type: "text", text: content } : content;
    return this.#update({ sessionUpdate: kind, messageId: this.#open.messageId, content: block });
  }

  /** What comes next is another message. */
  end(): void {
    this.#open = undefined;
  }
}

import type { Losses } from "./losses.ts";
import { type Json, objectOf, textOf } from "./message.ts";
import { planEntries } from "./plans.ts";

const method = "session/update";
const statuses: Readonly<Record<string, string>> = {
  pending: "pending",
  running: "in_progress",
  completed: "completed",
  error: "failed",
};

/** The tool calls of a session. */
interface KnownCalls {
  /** The official ids of the running turn, by those of the agent. */
  turn: Map<string, string>;
  /** How often the session has used an id. */
  readonly uses: Map<string, number>;
}

/** Translates session updates of an agent of the Go dialect. */
export class UpdatesFromGo {
  readonly #losses: Losses;
  readonly #sessions = new Map<string, KnownCalls>();

  constructor(losses: Losses) {
    this.#losses = losses;
  }

  /** The official update; `undefined` if its type is unknown. */
  translate(sessionId: string, update: Json): Json | undefined {
    // Accepts the official form as well.
    if (update["sessionUpdate"] !== undefined) return update;
    switch (update["type"]) {
      case "messageChunk":
        return this.#chunk(update);
      case "toolCall":
        return this.#toolCall(sessionId, update["toolCall"]);
      case "planUpdate":
        return this.#plan(update);
      default:
        this.#losses.report(method, "the type of an update is not known; it was left out", ["update"]);
        return undefined;
    }
  }

  /** After the end of a turn, the same id means another tool call, which needs an id of its own (TOOL-02). */
  turnEnded(sessionId: string): void {
    const calls = this.#sessions.get(sessionId);
    if (calls !== undefined) calls.turn = new Map();
  }

  #chunk({ role, chunk }: Json): Json {
    const isUser = role === "user";
    if (!isUser && role !== undefined && role !== "" && role !== "assistant") {
      this.#losses.report(method, "a message of an unknown role is shown as the agent's", ["update.role"]);
    }
    // Go omits empty texts.
    const content = { type: "text", text: textOf(chunk) ?? "" };
    return { sessionUpdate: isUser ? "user_message_chunk" : "agent_message_chunk", content };
  }

  #plan(update: Json): Json | undefined {
    const entries = planEntries(update);
    if (entries !== undefined) return { sessionUpdate: "plan", entries };
    this.#losses.report(method, "a plan cannot be read; it was left out", ["update"]);
    return undefined;
  }

  #toolCall(sessionId: string, toolCall: unknown): Json | undefined {
    const { id, name, status, input, output } = objectOf(toolCall);
    if (!textOf(id) && !textOf(name)) {
      this.#losses.report(method, "a tool call has neither an id nor a name; it was left out", ["update"]);
      return undefined;
    }
    if (!textOf(id)) this.#losses.report(method, "a tool call has no id", ["update.toolCall.id"]);
    const { toolCallId, isNew } = this.#idOf(sessionId, textOf(id) ?? "");
    const known = statuses[textOf(status) ?? ""];
    if (known === undefined) {
      this.#losses.report(method, "the status of a tool call is not known", ["update.toolCall.status"]);
    }
    return {
      sessionUpdate: isNew ? "tool_call" : "tool_call_update",
      toolCallId,
      title: textOf(name) || toolCallId,
      ...(name ? { name } : {}),
      ...(known === undefined ? {} : { status: known }),
      ...(input === undefined ? {} : { rawInput: input }),
      ...(output === undefined ? {} : { rawOutput: output }),
      ...(textOf(output) ? { content: [{ type: "content", content: { type: "text", text: output } }] } : {}),
    };
  }

  #idOf(sessionId: string, id: string): { readonly toolCallId: string; readonly isNew: boolean } {
    const calls: KnownCalls = this.#sessions.get(sessionId) ?? { turn: new Map(), uses: new Map() };
    this.#sessions.set(sessionId, calls);
    const known = calls.turn.get(id);
    if (known !== undefined) return { toolCallId: known, isNew: false };
    const uses = (calls.uses.get(id) ?? 0) + 1;
    calls.uses.set(id, uses);
    const toolCallId = uses === 1 ? id : `${id}#${uses}`;
    calls.turn.set(id, toolCallId);
    return { toolCallId, isNew: true };
  }
}

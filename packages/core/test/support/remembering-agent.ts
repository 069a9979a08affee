import type { Received } from "@acp/schema/v2/types";
import type { SessionEvent } from "../../src/v2/session-event.ts";

type Update = Received.SessionUpdate;

/** Something with an id, and the members that an agent remembers of it, in plain objects. */
interface Entry {
  readonly kind: "user_message" | "agent_message" | "agent_thought" | "tool_call" | "terminal" | "plan" | "compaction";
  readonly id: string;
  readonly members: Map<string, unknown>;
  readonly content: unknown[];
}

const kinds: Readonly<Record<string, { kind: Entry["kind"]; id: string; content: string }>> = {
  user_message: { kind: "user_message", id: "messageId", content: "content" },
  agent_message: { kind: "agent_message", id: "messageId", content: "content" },
  agent_thought: { kind: "agent_thought", id: "messageId", content: "content" },
  tool_call_update: { kind: "tool_call", id: "toolCallId", content: "content" },
  terminal_update: { kind: "terminal", id: "terminalId", content: "output" },
  compaction_update: { kind: "compaction", id: "compactionId", content: "summary" },
};
const chunks: Readonly<Record<string, string>> = {
  user_message_chunk: "user_message",
  agent_message_chunk: "agent_message",
  agent_thought_chunk: "agent_thought",
  tool_call_content_chunk: "tool_call_update",
  terminal_output_chunk: "terminal_update",
  compaction_summary_chunk: "compaction_update",
};
/** What is sent of each kind when a session is replayed, known or not. */
const members: Readonly<Record<string, readonly string[]>> = {
  tool_call_update: ["title", "name", "kind", "status", "locations", "rawInput", "rawOutput", "capabilities"],
  terminal_update: ["command", "cwd", "exitStatus", "size", "capabilities"],
  compaction_update: ["status", "error"],
};

/**
 * An agent that remembers its session in the plainest way: what it has sent of each item, in arrays and maps, and what it would
 * send of it in a replay. It knows nothing of how a client keeps it.
 */
export class RememberingAgent {
  /** The events of its client. */
  readonly events: SessionEvent[] = [];
  readonly #entries: Entry[] = [];
  #info: Update | undefined;
  readonly #infoMembers = new Map<string, unknown>();
  #usage: Update | undefined;
  #state: Update = { sessionUpdate: "state_update", state: "idle" };
  #commands: readonly Received.AvailableCommand[] = [];
  #options: readonly Received.SessionConfigOption[] = [];

  /** Sends an update, and remembers it. */
  send(update: Update): void {
    this.events.push({ type: "update", update });
    const sent = { ...update } as Record<string, unknown>;
    const name = String(sent["sessionUpdate"]);
    const whole = chunks[name] ?? name;
    const kind = kinds[whole];
    if (kind !== undefined) {
      const entry = this.#entry(kind.kind, String(sent[kind.id]));
      if (name !== whole) entry.content.push(sent["data"] ?? sent["content"]);
      else this.#patch(entry, sent, kind.content);
    } else if (update.sessionUpdate === "plan_update") {
      const { plan } = update;
      this.#entry("plan", "planId" in plan ? plan.planId : "").members.set("plan", plan);
    } else if (update.sessionUpdate === "session_info_update") {
      for (const [member, value] of Object.entries(sent)) if (value !== undefined) this.#infoMembers.set(member, value);
      this.#info = Object.fromEntries(this.#infoMembers) as Update;
    } else if (update.sessionUpdate === "usage_update") {
      const before = (this.#usage ?? {}) as { cost?: unknown };
      this.#usage = { ...sent, cost: sent["cost"] === undefined ? before.cost : sent["cost"] } as Update;
    } else if (update.sessionUpdate === "state_update") this.#state = update;
    else if (update.sessionUpdate === "available_commands_update") this.#commands = update.availableCommands;
    else if (update.sessionUpdate === "config_option_update") this.#options = update.configOptions;
  }

  /** Marks its unfinished calls as cancelled, as an agent must before it reports that it was cancelled. */
  cancelAll(): void {
    for (const { kind, id, members: known } of this.#entries) {
      if (kind !== "tool_call" || isFinal(known.get("status"))) continue;
      this.send({ sessionUpdate: "tool_call_update", toolCallId: id, status: "cancelled" });
    }
  }

  /** The events of a client that resumes the session; `inChunks` says which items come chunk by chunk. */
  replay(inChunks: (index: number) => boolean): SessionEvent[] {
    const list = this.#entries.flatMap((entry, index) => replayOf(entry, inChunks(index)));
    const rest = [this.#info, this.#usage, this.#state].filter((update) => update !== undefined);
    const opened = { type: "opened", configOptions: this.#options, commands: this.#commands } as const;
    return [...[...list, ...rest].map((update) => ({ type: "update", update }) as const), opened];
  }

  #entry(kind: Entry["kind"], id: string): Entry {
    const known = this.#entries.find((entry) => entry.kind === kind && entry.id === id);
    if (known !== undefined) return known;
    const entry: Entry = { kind, id, members: new Map(), content: [] };
    this.#entries.push(entry);
    return entry;
  }

  #patch(entry: Entry, update: Readonly<Record<string, unknown>>, content: string): void {
    for (const [name, value] of Object.entries(update)) {
      if (value === undefined) continue;
      if (name === content) {
        const list: unknown[] = Array.isArray(value) ? value : value === null ? [] : [dataOf(value)];
        entry.content.splice(0, Infinity, ...list.filter((one) => one !== ""));
      } else entry.members.set(name, value);
    }
  }
}

/** The output of a terminal is an object, and no list. */
function dataOf(output: unknown): unknown {
  return typeof output === "object" && output !== null && "data" in output ? output.data : "";
}

function isFinal(status: unknown): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}

function replayOf({ kind, id, members: known, content }: Entry, inChunks: boolean): Update[] {
  if (kind === "plan") return [{ sessionUpdate: "plan_update", plan: known.get("plan") } as Update];
  const [whole, names] = Object.entries(kinds).find(([, one]) => one.kind === kind) ?? [];
  const [chunk] = Object.entries(chunks).find(([, one]) => one === whole) ?? [];
  const update = Object.fromEntries((members[whole ?? ""] ?? []).map((name) => [name, known.get(name) ?? null]));
  const all = kind === "terminal" ? { data: joined(content) } : content;
  const base = { ...update, sessionUpdate: whole, [names?.id ?? ""]: id };
  if (kind === "compaction") Object.assign(base, { status: known.get("status") ?? "in_progress" });
  if (!inChunks) return [{ ...base, [names?.content ?? ""]: all } as Update];
  const piece = kind === "terminal" ? "data" : "content";
  const pieces = content.map((one) => ({ sessionUpdate: chunk, [names?.id ?? ""]: id, [piece]: one }) as Update);
  return [{ ...base, [names?.content ?? ""]: kind === "terminal" ? null : [] } as Update, ...pieces];
}

function joined(content: readonly unknown[]): string {
  return Buffer.concat(content.map((data) => Buffer.from(String(data), "base64"))).toString("base64");
}

import {
  type CallEnd,
  endOf,
  type PermissionQuestion,
  type Report,
  type SessionOption,
  type ShownCall,
  type ShownSession,
  type TerminalReport,
} from "@acp/render";

import type { Session } from "../../protocol/agent.ts";
import { TerminalView } from "../../protocol/terminal-view.ts";
import { CallStates } from "./call-state.ts";
import type { ExecEvent, MessageEvent } from "./exec-event.ts";

/** What an event is about, for an output that shows it in lines. */
export interface EventSubject {
  readonly call?: ShownCall;
  /** How the call ended; `undefined` while it runs. */
  readonly end?: CallEnd | undefined;
  readonly question?: PermissionQuestion;
}

/** Takes an event; a pending promise slows the agent down. */
export type Emit = (event: ExecEvent, about?: EventSubject) => Promise<void> | undefined;

/** Makes the events of one session. */
export class SessionFeed {
  readonly calls: CallStates = new CallStates();
  readonly #shown: ShownSession;
  readonly #emit: Emit;
  readonly #terminals = new Map<string, TerminalView>();
  /** The text of each message so far, where messages have ids. */
  readonly #texts = new Map<string, string>();
  #told: Told = { plan: [], usage: undefined, title: undefined, commands: [], mode: undefined };

  constructor({ shown }: Pick<Session, "shown">, emit: Emit) {
    this.#shown = shown;
    this.#emit = emit;
    this.#told = { ...this.#told, mode: modeOf(shown.options) };
    this.sync();
    shown.subscribe(() => this.sync());
  }

  /** Makes the events of a report. */
  show(report: Report): Promise<void> | undefined {
    this.sync();
    switch (report.kind) {
      case "message":
        return this.#showMessage(report);
      case "call":
        return this.#showCall(report.toolCallId);
      case "terminal":
        return this.#showTerminal(report);
      case "notice": {
        const { title, description } = report;
        return this.#emit({ type: "notice", from: "agent", title, description: description ?? undefined });
      }
      case "compaction":
        return this.#emit({ type: "compaction", status: report.status });
      default:
        // The state of the session has it.
        return undefined;
    }
  }

  /** A command runs in a terminal of this program. */
  follow(terminalId: string, view: TerminalView): void {
    this.#terminals.set(terminalId, view);
    void this.#emit({ type: "terminal", terminalId, command: view.command || undefined });
    let hasEnded = false;
    view.follow((text) => {
      if (text !== "") void this.#emit({ type: "terminal", terminalId, text });
      const { exit } = view;
      if (exit === undefined || hasEnded) return;
      hasEnded = true;
      void this.#emit({ type: "terminal", terminalId, exit });
    });
  }

  /** The turn has ended, which may have ended its calls. */
  end(): void {
    for (const id of this.calls.ids) void this.#showCall(id);
    this.sync();
  }

  /** Makes events of what has changed in the state of the session. */
  sync(): void {
    const { plan, usage, title, commands, options } = this.#shown;
    const told = this.#told;
    this.#told = { plan, usage, title, commands, mode: modeOf(options) ?? told.mode };
    const { mode } = this.#told;
    if (commands !== told.commands && commands.length + told.commands.length > 0)
      void this.#emit({ type: "commands", commands });
    if (title !== told.title && title !== undefined) void this.#emit({ type: "title", title });
    if (mode !== told.mode && mode !== undefined) void this.#emit({ type: "mode", mode });
    if (plan !== told.plan && plan.length + told.plan.length > 0)
      void this.#emit({ type: "plan", entries: plan.map(({ content, status }) => ({ content, status })) });
    if (usage !== told.usage && usage !== undefined) {
      const { used, size, cost } = usage;
      void this.#emit({ type: "usage", used, size, ...(cost == null ? {} : { cost }) });
    }
  }

  #showMessage({
    speaker,
    messageId,
    content,
    isWhole = false,
  }: Extract<Report, { kind: "message" }>): Promise<void> | undefined {
    const parts = content.map((block) => (block.type === "text" ? { text: block.text } : { text: "", content: block }));
    const isText = parts.every((part) => !("content" in part));
    const key = `${speaker} ${messageId}`;
    const before = messageId == null ? "" : (this.#texts.get(key) ?? "");
    const text = parts.map((part) => part.text).join("");
    if (messageId != null) this.#texts.set(key, isWhole ? text : before + text);
    // Most whole messages repeat the chunks that came before.
    const isMore = isWhole && isText && before !== "" && text.startsWith(before);
    if (isMore) return this.#message(speaker, messageId, { text: text.slice(before.length) });
    let room: Promise<void> | undefined;
    for (const [index, part] of parts.entries()) {
      const replaces = isWhole && index === 0 && before !== "";
      room = this.#message(speaker, messageId, replaces ? { ...part, replaces } : part);
    }
    return room;
  }

  #message(
    speaker: "user" | "agent" | "thought",
    messageId: string | null | undefined,
    part: Pick<MessageEvent, "text" | "content" | "replaces">,
  ): Promise<void> | undefined {
    if (part.text === "" && part.content === undefined) return undefined;
    const id = messageId ?? undefined;
    if (speaker === "thought") return this.#emit({ type: "thought", messageId: id, ...part });
    return this.#emit({ type: "message", speaker, messageId: id, ...part });
  }

  #showCall(toolCallId: string): Promise<void> | undefined {
    const call = this.#shown.call(toolCallId);
    const end = call && endOf(call, (id) => this.#terminals.get(id)?.exit);
    const event = call && this.calls.update(toolCallId, call, end?.hasFailed === true);
    return event && this.#emit(event, { call, end });
  }

  #showTerminal({ terminalId, command, output, isWhole = false, exit }: TerminalReport): Promise<void> | undefined {
    const known = this.#terminals.get(terminalId);
    const view = known ?? new TerminalView(command ?? "");
    if (known === undefined) this.follow(terminalId, view);
    if (output !== undefined) view.push(isWhole ? output.subarray(view.length) : output);
    if (exit !== undefined) view.end(exit);
    return undefined;
  }
}

/** What the events have told of the state of a session. */
interface Told extends Pick<ShownSession, "plan" | "usage" | "title" | "commands"> {
  readonly mode: string | undefined;
}

function modeOf(options: readonly SessionOption[]): string | undefined {
  const value = options.find(({ category }) => category === "mode")?.value;
  return value === undefined ? undefined : String(value);
}

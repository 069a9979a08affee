import {
  describeUsage,
  type Line,
  type PermissionQuestion,
  type PlanEntry,
  planLines,
  planProgress,
  span,
  wrapWords,
} from "@acp/render";
import { answerLine, optionRows, permissionLines, questionRows } from "@acp/render/question";
import { printable, printableLine } from "@acp/render/text";

import type { ErrorLines } from "../../protocol/error-lines.ts";
import { paint, type Style } from "../../text/style.ts";
import type { ChatItem, ChatState } from "../../ui/chat-state.ts";
import { hasEnded } from "../../ui/model/entry.ts";
import { CallPrinter } from "./call-printer.ts";
import { type Output, Printer } from "./printer.ts";
import { Prose } from "./prose.ts";

type Item<Kind extends ChatItem["kind"]> = ChatItem & { readonly kind: Kind };

/** Prints the items of a state as lines: those that are over once, the others as they grow. */
export class ItemPrinter {
  /** What the user has typed: it is on the screen when the agent tells of it. */
  typed: string | undefined;
  /** What was not over by now does not matter any more. */
  isEnding = false;
  /** How the last turn has ended. */
  stopReason: string | undefined;
  /** The permission that was asked for last: the question is on the screen when it is answered. */
  #asked: PermissionQuestion | undefined;
  readonly #printer: Printer;
  readonly #style: Style;
  readonly #cwd: string;
  readonly #errors: ErrorLines;
  readonly #width: (() => number) | undefined;
  readonly #prose: Prose;
  readonly #calls = new Map<number, CallPrinter>();
  readonly #seen = new Map<number, ChatItem>();
  /** What is printed of each message. */
  readonly #texts = new Map<number, string>();
  /** The index of the first item that may be new. */
  #next = 0;
  #beside: string | undefined;
  /** What has written the last lines. */
  #last: { readonly root: number; readonly by: CallPrinter | string } | undefined;
  #plan: readonly PlanEntry[] = [];
  readonly #plans = new WeakSet<readonly PlanEntry[]>();
  #turn: number | undefined;
  #hint: string | undefined;

  constructor(output: Output, style: Style, cwd: string, errors: ErrorLines) {
    this.#printer = new Printer(output);
    this.#style = style;
    this.#cwd = cwd;
    this.#errors = errors;
    // Some terminals, such as those of recorders, report a width of 0 columns.
    this.#width = output.isTTY === true ? () => output.columns || 80 : undefined;
    this.#prose = new Prose(this.#printer, style, this.#width);
  }

  /** The columns of the terminal; `undefined` if there is none. */
  get width(): number | undefined {
    return this.#width?.();
  }

  /** Prints what is new in a state. */
  show(state: ChatState): void {
    this.#printer.together(() => this.#showState(state));
  }

  #showState(state: ChatState): void {
    const { items: all, turn, plan } = state;
    const items = all.slice(this.#next);
    // As in the state, the plan of another turn is a new one.
    if (turn !== undefined && turn.since !== this.#turn) this.#plan = [];
    this.#turn = turn?.since;
    // What was printed last goes on before others do.
    const last = items.find((item) => rootOf(item) === this.#last?.root);
    if (last !== undefined) this.#show(last, state);
    for (const item of items) this.#show(item, state);
    for (const item of all.slice(this.#next, state.firstOpen)) this.#forget(item);
    this.#next = state.firstOpen;
    if (plan.length > 0 ? !this.#plans.has(plan) : turn !== undefined && this.#plan.length > 0) this.#showPlan(plan);
    if (state.hint !== undefined && state.hint !== this.#hint) this.note(state.hint, "yellow");
    this.#hint = state.hint;
  }

  /** Settles when the output can take more; `undefined` if it can now. */
  room(): Promise<void> | undefined {
    return this.#printer.room();
  }

  prompt(text: string): void {
    this.typed = text;
    this.handOver();
    this.line([span("> ", "bold"), span(printable(text), "bold")]);
    this.#printer.gap();
  }

  /** Prints a remark of this program, as a paragraph. */
  note(text: string, colour: "dim" | "yellow" = "dim"): void {
    this.#interrupt();
    this.#printer.gap();
    this.#printer.line(this.#style(colour, this.#width === undefined ? text : wrapWords(text, this.#width())));
    this.#printer.gap();
  }

  /** Prints a failure, or what else does not work, on stderr. */
  complain(text: string): void {
    this.handOver();
    this.#errors.complain(text);
  }

  /** Begins a question. */
  ask(): void {
    this.#interrupt();
    this.#printer.gap();
  }

  line(line: Line): void {
    this.#printer.line(paint(line, this.#style).trimEnd());
  }

  /** Prints a permission request whole, and the numbered options with their kind and name. */
  permission(question: PermissionQuestion): void {
    const { sessionId, isOfAgent, options } = question;
    this.#label(isOfAgent ? sessionId : undefined);
    this.#prose.interrupt();
    this.#asked = question;
    const { width } = this;
    for (const row of questionRows(permissionLines(question, this.#cwd), width)) this.line(row);
    for (const row of optionRows(options, width)) this.line(row);
  }

  /** Prints the pending word of a message that may go on. */
  flush(): void {
    this.#prose.flush();
  }

  /** Lets others write. */
  handOver(): void {
    this.#interrupt();
    this.#printer.handOver();
  }

  /** The user has ended a line. With `gap`, an empty line comes before the next text. */
  takeBack(gap: boolean): void {
    // A message that arrived meanwhile must not go on behind the typed text.
    this.#prose.interrupt();
    this.#printer.takeBack();
    if (gap) this.#printer.gap();
  }

  #show(item: ChatItem, state: ChatState): void {
    if (this.#seen.get(item.id) === item) return;
    this.#seen.set(item.id, item);
    switch (item.kind) {
      case "agent":
      case "thought":
      case "user":
        return this.#showMessage(item);
      case "call":
        return this.isEnding ? undefined : this.#showCall(item);
      case "plan":
        return this.#plans.has(item.entries) ? undefined : this.#showPlan(item.entries);
      case "answer":
        return this.#showAnswer(item);
      case "note":
        if (item.level === "info") return this.note(item.text);
        // Those of this program have no root.
        return item.root === undefined ? this.complain(item.text) : this.note(`! ${item.text}`, "yellow");
      case "end":
        return this.#showEnd(item, state);
      default:
        return this.note(`Session ${printableLine([item.sessionId, item.title ?? ""].join("  ").trim())}`);
    }
  }

  /** It is over, and printed. A call that others wait for may go on. */
  #forget(item: ChatItem): void {
    this.#seen.delete(item.id);
    this.#texts.delete(item.id);
    if (item.kind === "call" && hasEnded(item.call)) this.#calls.delete(rootOf(item));
  }

  #showMessage(item: Item<"agent" | "thought" | "user">): void {
    const root = rootOf(item);
    const before = this.#texts.get(item.id) ?? "";
    const files = item.kind === "user" ? item.attachments.map((file) => `\n@ ${file}`) : [];
    const text = [item.text, ...files].join("");
    const isMore = text.startsWith(before);
    this.#texts.set(item.id, text);
    if (item.kind === "user" && this.typed !== undefined && item.text.trim().endsWith(this.typed.trim())) {
      this.typed = undefined;
      return;
    }
    if (item.kind === "user") this.#plan = [];
    const more = isMore ? text.slice(before.length) : text;
    if (more === "") return;
    this.#label(item.beside);
    // What comes after the end of a turn is an item of its own.
    const by = item.kind === "user" ? `user ${root}` : `${item.kind} ${item.messageId}`;
    if (this.#last?.by !== by || !isMore) this.#prose.interrupt();
    this.#last = { root, by };
    this.#prose.show(item.kind, printable(more));
  }

  #showCall(item: Item<"call">): void {
    this.#label(item.beside);
    const root = rootOf(item);
    const call =
      this.#calls.get(root) ??
      new CallPrinter(
        item,
        this.#cwd,
        (line) => this.line(line),
        (by) => {
          if (this.#last?.by === by) return false;
          this.#interrupt();
          this.#printer.gap();
          this.#last = { root, by };
          return true;
        },
      );
    this.#calls.set(root, call);
    call.show(item, this.#width === undefined ? Infinity : Math.max(10, this.#width() - 5));
  }

  #showAnswer({ permission, answer, by = "" }: Item<"answer">): void {
    this.#prose.interrupt();
    if (permission !== undefined && permission !== this.#asked) this.permission(permission);
    this.line(answerLine(answer, by));
  }

  /** Prints a plan in full when its entries changed, and in one line when only their statuses did (PLAN-03). */
  #showPlan(plan: readonly PlanEntry[]): void {
    const contents = (entries: readonly PlanEntry[]): string => JSON.stringify(entries.map(({ content }) => content));
    const lines =
      plan.length === 0
        ? [[span("The plan is empty now", "dim")]]
        : contents(plan) === contents(this.#plan)
          ? [planProgress(plan)]
          : [[span("Plan", "bold")], ...planLines(plan).entries.map((entry) => [span("  "), ...entry])];
    this.#plan = plan;
    this.#plans.add(plan);
    this.ask();
    for (const line of lines) this.line(line);
    this.#printer.gap();
  }

  #showEnd({ stopReason, calls, duration }: Item<"end">, { usage }: ChatState): void {
    this.typed = undefined;
    this.stopReason = stopReason;
    this.#label(undefined);
    this.ask();
    const facts = [
      printableLine(stopReason),
      `${calls} tool ${calls === 1 ? "call" : "calls"}`,
      `${(duration / 1000).toFixed(1)} s`,
      ...(usage === undefined ? [] : [describeUsage(usage)]),
    ];
    this.line([span(`■ ${facts.join(" · ")}`, stopReason === "end_turn" ? "dim" : "yellow")]);
  }

  /** Says whose words follow, where that changes: those of a session of the agent's own, or of the user's. */
  #label(beside: string | undefined): void {
    if (beside === this.#beside) return;
    this.#beside = beside;
    const text =
      beside === undefined
        ? "« back in your session"
        : `» session ${printableLine(beside)}, which the agent has opened by itself`;
    this.note(text, "yellow");
  }

  /** Prepares for what is no message and no call. */
  #interrupt(): void {
    this.#prose.interrupt();
    this.#last = undefined;
  }
}

function rootOf({ id, root = id }: ChatItem): number {
  return root;
}

import { visibleText } from "@acp/core/state";

import type { Session } from "../../protocol/agent.ts";
import { describeContent } from "../../protocol/describe-content.ts";
import type { PermissionQuestion } from "../../protocol/permission/question.ts";
import { permissionLines } from "../../protocol/permission/question-lines.ts";
import type { ShownCall, Report } from "../../protocol/shown.ts";
import { FollowedSession } from "./followed-session.ts";
import { PlanView } from "./plan-view.ts";
import { printable, printableLine } from "../../text/printable.ts";
import { type Output, Printer } from "./printer.ts";
import { ProseView } from "./prose-view.ts";
import type { Style } from "../../text/style.ts";
import { TerminalTail } from "../../protocol/terminal-tail.ts";
import type { TerminalView } from "../../protocol/terminal-view.ts";
import { type ToolCallScreen, ToolCallView } from "./tool-call-view.ts";
import { answerLine, optionRows, questionRows } from "../../render/question.ts";
import { describeUsage, noticeText } from "../../render/words.ts";
import { type Line, paint } from "../../text/spans.ts";
import { wrapWords } from "../../text/word-wrap.ts";

/** Prints what happens in a session, for the user to follow. */
export class Transcript {
  readonly #printer: Printer;
  readonly #style: Style;
  readonly #cwd: string;
  readonly #prose: ProseView;
  /** Returns the current width of the terminal; `undefined` if the output is none. */
  readonly #width: (() => number) | undefined;
  readonly #terminals = new Map<string, TerminalTail>();
  /** Several sessions may be open, and report alternately. A reopened session is a new one. */
  readonly #sessions = new WeakMap<Session, FollowedSession>();
  #followed: FollowedSession | undefined;
  /** The session of the agent's own whose words were the last. */
  #beside: string | undefined;
  /** Who wrote the last lines. A new call writes before its view exists. */
  #lastLines: ToolCallView | "a new call" | "others" = "others";

  constructor(output: Output, style: Style, cwd: string) {
    this.#printer = new Printer(output);
    this.#style = style;
    this.#cwd = cwd;
    // Some terminals, such as those of recorders, report a width of 0 columns.
    this.#width = output.isTTY === true ? () => output.columns || 80 : undefined;
    this.#prose = new ProseView(this.#printer, style, this.#width);
  }

  /** Shows this session from now on, including a history that is being loaded. */
  follow(session: Session): void {
    const known = this.#sessions.get(session);
    if (known !== undefined) {
      this.#followed = known;
      return;
    }
    const plan = new PlanView(this.#printer, this.#style);
    const followed: FollowedSession = new FollowedSession(session.shown, plan, (id) => this.#showCall(id, followed));
    this.#sessions.set(session, followed);
    this.#followed = followed;
  }

  /** Shows what the agent has told in a session of its own, beside the one that the user is in. */
  showBeside(report: Report, session: Session): Promise<void> | undefined {
    const here = this.#followed;
    if (report.kind !== "commands") this.#label(session.id);
    this.follow(session);
    try {
      return this.#show(report);
    } finally {
      this.#followed = here;
    }
  }

  /** Shows what the agent has report. The promise is pending while the output is slow. */
  show(report: Report): Promise<void> | undefined {
    if (report.kind !== "commands") this.#label(undefined);
    return this.#show(report);
  }

  #show(report: Report): Promise<void> | undefined {
    switch (report.kind) {
      case "message":
        // As in the state, a plan after another user message is a new plan.
        if (report.speaker === "user") this.#followed?.plan.forget();
        this.#showMessage(report);
        break;
      case "call":
        this.#prose.interrupt();
        this.#showCall(report.toolCallId);
        this.#followed?.countCall(report.toolCallId);
        break;
      case "terminal":
        this.#followed?.updateTerminal(report);
        break;
      case "plan":
        this.#interrupt();
        this.#followed?.plan.show(this.#followed.shown.plan);
        break;
      case "mode":
        this.note(`Mode: ${printableLine(report.mode)}`);
        break;
      case "notice":
        this.note(noticeText(report), "yellow");
        break;
      case "compaction":
        this.note(`Context compaction: ${printableLine(report.status)}`);
        break;
      case "commands":
        break;
    }
    return this.#printer.room();
  }

  /** The client opened a terminal. It is shown with the tool call that embeds it. */
  terminal(terminalId: string, view: TerminalView): void {
    this.#terminals.set(
      terminalId,
      TerminalTail.of(view, () => {}),
    );
  }

  prompt(text: string): void {
    this.handOver();
    this.#printer.line(`${this.#style("bold", ">")} ${this.#style("bold", printable(text))}`);
    this.#printer.gap();
  }

  /**
   * Shows a permission request whole, and the numbered options with their kind and name.
   * `isCurrentSession` says that the call is one of the session that is shown: one of another session may have the same id.
   */
  permission(question: PermissionQuestion, isCurrentSession: boolean): void {
    const { sessionId, isOfAgent, toolCallId } = question;
    this.#label(isOfAgent ? sessionId : undefined);
    this.#prose.interrupt();
    if (isCurrentSession && toolCallId !== undefined) this.#showCall(toolCallId);
    const width = this.#width?.();
    const asked = permissionLines(question, this.#cwd);
    for (const row of [...questionRows(asked, width), ...optionRows(question.options, width)])
      this.#printer.line(paint(row, this.#style));
  }

  /** Shows the answer to a permission request, and what decided it. */
  permissionAnswer(answer: string, by: string): void {
    this.#printer.line(paint(answerLine(answer, by), this.#style));
  }

  /**
   * The agent asks the user something; whose question it is stands first (ELIC-23, ELIC-24). `beside`: the id of the session,
   * if the agent has opened it by itself.
   */
  question(agent: string, message: string, beside?: string): void {
    this.#label(beside);
    this.#prose.interrupt();
    this.#lastLines = "others";
    this.#printer.gap();
    this.#printer.line(`  ${this.#style("yellow", `? ${printableLine(agent)} asks: ${this.#visible(message)}`)}`);
  }

  remark(text: string, colour: "dim" | "yellow" = "dim"): void {
    this.#printer.line(`    ${this.#style(colour, text)}`);
  }

  /** Shows a whole URL, with its host emphasised (ELIC-27, ELIC-29). */
  url({ before, host, after }: { readonly before: string; readonly host: string; readonly after: string }): void {
    const rest = (text: string): string => this.#style("dim", this.#visible(text));
    this.#printer.line(`    ${rest(before)}${this.#style("bold", this.#visible(host))}${rest(after)}`);
  }

  end(stopReason: string, milliseconds: number): void {
    this.#label(undefined);
    const { callCount = 0, shown } = this.#followed ?? {};
    this.#interrupt();
    this.#printer.gap();
    const facts = [
      printableLine(stopReason),
      `${callCount} tool ${callCount === 1 ? "call" : "calls"}`,
      `${(milliseconds / 1000).toFixed(1)} s`,
      ...(shown?.usage === undefined ? [] : [describeUsage(shown.usage)]),
    ];
    this.#printer.line(this.#style(stopReason === "end_turn" ? "dim" : "yellow", `■ ${facts.join(" · ")}`));
  }

  /** Shows a remark of the client, as a paragraph. */
  note(text: string, colour: "dim" | "yellow" | "red" | "green" = "dim"): void {
    this.#interrupt();
    this.#printer.gap();
    this.#printer.line(this.#style(colour, this.#width === undefined ? text : wrapWords(text, this.#width())));
    this.#printer.gap();
  }

  /** Shows a line of a command of the user. */
  line(line: Line): void {
    this.#interrupt();
    this.#printer.line(paint(line, this.#style));
  }

  /** Shows the pending word of a message that may continue. */
  flush(): void {
    this.#prose.flush();
  }

  handOver(): void {
    this.#interrupt();
    this.#printer.handOver();
  }

  /** The user answered the prompt. With `gap`, an empty line comes before the next text. */
  takeBack(gap: boolean): void {
    // A message that arrived meanwhile must not continue behind the typed text.
    this.#prose.interrupt();
    this.#printer.takeBack();
    if (gap) this.#printer.gap();
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

  #showCall(toolCallId: string, followed = this.#followed): void {
    const call = followed?.shown.call(toolCallId);
    if (followed === undefined || call === undefined) return;
    const known = followed.calls.get(toolCallId);
    if (known === undefined) followed.calls.set(toolCallId, this.#createView(call, followed));
    else known.update(call);
  }

  #createView(call: ShownCall, followed: FollowedSession): ToolCallView {
    this.#lastLines = "a new call";
    const screen: ToolCallScreen = {
      printer: this.#printer,
      style: this.#style,
      cwd: this.#cwd,
      // Behind the bar.
      width: () => (this.#width === undefined ? Infinity : Math.max(10, this.#width() - 5)),
      terminal: (id) => this.#terminals.get(id) ?? followed.terminal(id),
      claim: (caller) => this.#claim(caller),
    };
    const view = new ToolCallView(call, screen);
    this.#lastLines = view;
    return view;
  }

  /** Makes hidden characters visible in a text of a permission request. */
  #visible(text: string): string {
    return visibleText(text, (code) => this.#style("inverse", code));
  }

  /** Repeats the heading if something else was shown in between, since calls can run at the same time. */
  #claim(view: ToolCallView): void {
    if (this.#lastLines !== "a new call" && this.#lastLines !== view) {
      this.#prose.interrupt();
      this.#printer.gap();
      view.showHeading();
    }
    this.#lastLines = view;
  }

  /** Prepares for output that is not a message. */
  #interrupt(): void {
    this.#prose.interrupt();
    this.#lastLines = "others";
  }

  #showMessage({ speaker, messageId, content, isWhole = false }: Extract<Report, { readonly kind: "message" }>): void {
    const text = content.map(describeContent).join("");
    const key = `${speaker} ${messageId}`;
    const before = messageId == null ? "" : (this.#followed?.texts.get(key) ?? "");
    // Text that only grew continues; other text is shown anew.
    const isMore = isWhole && text.startsWith(before);
    if (isWhole && !isMore) this.#prose.interrupt();
    if (messageId != null) this.#followed?.texts.set(key, isWhole ? text : before + text);
    const more = isMore ? text.slice(before.length) : text;
    if (more === "") return;
    this.#lastLines = "others";
    this.#prose.show(speaker, messageId, more);
  }
}

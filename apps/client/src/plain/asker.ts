import { judgedSpans, type Line, span } from "@acp/render";
import { printableLine } from "@acp/render/text";

import type { ChatActions, ChatState, SessionEntry } from "../ui/chat-state.ts";
import { dialogFor, dialogKey } from "../ui/questions/dialog-for.ts";
import type { Dialog, LineEntry, LineQuestion } from "../ui/questions/dialog.ts";
import { commandLines } from "../ui/questions/overlays/help-dialog.ts";
import { type QuestionLine, questionRows } from "../ui/questions/question-lines.ts";
import type { LineReader } from "./input/line-reader.ts";
import type { ItemPrinter } from "./print/item-printer.ts";

const margin = "    ";

/** Asks what is open in a state line by line: the dialogs are those of the user interface, and the answers numbers or words. */
export class Asker {
  readonly #lines: LineReader;
  readonly #printer: ItemPrinter;
  readonly #actions: ChatActions;
  #key: string | undefined;
  #withdraw = new AbortController();

  constructor(lines: LineReader, printer: ItemPrinter, actions: ChatActions) {
    this.#lines = lines;
    this.#printer = printer;
    this.#actions = actions;
  }

  /** Begins with the open question, and ends with the one before if that is not open any more. */
  show(state: ChatState): void {
    const { overlay } = state;
    if (overlay?.kind === "sessions" && !overlay.isComplete) return;
    const key = dialogKey(state);
    if (key === this.#key) return;
    this.#key = key;
    this.#withdraw.abort();
    this.#withdraw = new AbortController();
    const dialog = dialogFor(state, this.#actions, false);
    if (dialog === undefined) return this.#lines.endQuestion();
    this.#lines.beginQuestion();
    void this.#ask(dialog, state, this.#withdraw.signal);
  }

  async #ask(dialog: Dialog, state: ChatState, signal: AbortSignal): Promise<void> {
    const {
      overlay,
      questions: [question],
    } = state;
    const permission = question?.kind === "permission" ? question.question : undefined;
    if (permission !== undefined) this.#printer.permission(permission);
    else this.#printer.ask();
    if (question === undefined && overlay?.kind === "sessions")
      for (const line of sessionLines(overlay.sessions, state.session?.id)) this.#printer.line(line);
    else if (dialog.inLines === undefined) this.#print(helpLines(state));
    if (question === undefined && (overlay?.kind === "sessions" || overlay?.kind === "help"))
      return this.#actions.closeOverlay();
    let isFirst = true;
    let wasField = false;
    for (let asked = dialog.inLines; asked !== undefined && !signal.aborted; asked = dialog.inLines) {
      const isField = asked.now !== undefined;
      if (isField && !wasField) this.#remark("Enter keeps what is in [ ], - clears it, /cancel ends it");
      // Who asks is said once.
      if (permission === undefined) this.#print(asked.lines.slice(isFirst ? 0 : 1), asked.entries);
      await this.#answer(asked, permission === undefined, signal);
      isFirst = false;
      wasField = isField;
    }
  }

  /** `mayLeave`: an empty line is no answer to the agent. */
  async #answer(question: LineQuestion, mayLeave: boolean, signal: AbortSignal): Promise<void> {
    const { entries, now, takesSeveral = false } = question;
    const range = `Your choice [${entries?.length === 1 ? "1" : `1-${entries?.length}`}]`;
    const kind = entries === undefined ? "Your answer" : takesSeveral ? "Numbers, with commas between" : "Your choice";
    const choose = mayLeave ? `${range}, or nothing to give up` : range;
    const prompt = now === undefined ? choose : `${kind}${now === "" ? "" : ` [${printableLine(now)}]`}`;
    const words = now === undefined ? (mayLeave ? [""] : []) : ["", "-", "/cancel"];
    const given = await this.#pick(entries, prompt, words, signal, takesSeveral);
    if (signal.aborted) return;
    if (given === undefined || given === "/cancel" || (given === "" && now === undefined)) return question.leave();
    if (given === "-") return question.answer(entries === undefined ? "" : []);
    if (given !== "") return question.answer(given);
    const marked = entries?.flatMap(({ isMarked }, index) => (isMarked === true ? index : []));
    question.answer(marked ?? now ?? "");
  }

  /**
   * Asks until the user names an entry, or several, by their numbers or words; without entries for a text. Returns their
   * indices, or the text, or the one of the `words` that was typed instead; `undefined` at the end of the input.
   */
  async #pick(
    entries: readonly LineEntry[] | undefined,
    prompt: string,
    words: readonly string[],
    signal: AbortSignal,
    takesSeveral: boolean,
  ): Promise<readonly number[] | string | undefined> {
    for (;;) {
      const line = await this.#lines.ask(`${margin}${prompt}: `, signal);
      if (signal.aborted) return undefined;
      this.#printer.takeBack(false);
      if (line === undefined) this.#remark("The input has ended");
      if (line === undefined) return undefined;
      const text = line.trim();
      if (words.includes(text) || entries === undefined) return text;
      const chosen = (takesSeveral ? text.split(",") : [text]).map((one) => indexOf(one.trim().toLowerCase(), entries));
      const indices = chosen.filter((index) => index !== undefined);
      if (indices.length === chosen.length) return indices;
      this.#remark(`Please type a number from 1 to ${entries.length}${words.includes("") ? ", or nothing" : ""}`);
    }
  }

  #print(lines: readonly QuestionLine[], entries: readonly LineEntry[] = []): void {
    for (const row of questionRows(lines, (this.#printer.width ?? Infinity) - 2))
      this.#printer.line([span("  "), ...row]);
    for (const [index, { label, aside = "", detail = aside, isMarked = false }] of entries.entries()) {
      const more = detail === "" ? [] : [span("  "), ...judgedSpans(detail, "dim")];
      const mark = span(isMarked ? " *" : "", "cyan");
      this.#printer.line([span(`${margin}${index + 1} `, "bold"), ...judgedSpans(label), mark, ...more]);
    }
  }

  #remark(text: string): void {
    this.#printer.line([span(margin), span(text, "dim")]);
  }
}

/** The index of the entry that this names: by its number, its words, or the beginning of those, if no other has the same. */
function indexOf(text: string, entries: readonly LineEntry[]): number | undefined {
  const index = /^\d+$/u.test(text) ? Number(text) - 1 : -1;
  if (index in entries || text === "") return index in entries ? index : undefined;
  const begun = entries.filter(({ label }) => label.toLowerCase().startsWith(text));
  const whole = begun.filter(({ label }) => label.length === text.length);
  const [named, other] = whole.length > 0 ? whole : begun;
  return named === undefined || other !== undefined ? undefined : entries.indexOf(named);
}

function helpLines(state: ChatState): readonly QuestionLine[] {
  const keys = "Tab completes names. Ctrl-C clears the line, or else cancels a turn; twice: quits.";
  const text = `!command runs a command in your shell; the agent does not see it. ${keys}`;
  return [...commandLines(state), { text, tone: "dim" }];
}

function sessionLines(sessions: readonly SessionEntry[], current: string | undefined): Line[] {
  if (sessions.length === 0) return [[span("There are no sessions in this directory", "dim")]];
  return sessions.map(({ sessionId, title, updatedAt }, index) => {
    const facts = [title ?? "(no title)", updatedAt ?? "", sessionId].map(printableLine).filter((text) => text !== "");
    return [span(`${sessionId === current ? "*" : " "} ${index + 1} ${facts.join("  ")}`, "dim")];
  });
}

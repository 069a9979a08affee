import { basename } from "node:path";

import { span, textOf, truncate } from "@acp/render";
import { printableLine } from "@acp/render/text";

import type { ChatState } from "../chat-state.ts";

/** A turn that the user has not watched to its end, in milliseconds. */
const longTurn = 10_000;
const titleWidth = 80;
const bell = "\u0007";

/** Keeps the title of the window, and asks the terminal to tell of its focus. */
const begin = "\u001B[22;2t\u001B[?1004h";
const end = "\u001B[?1004l\u001B[23;2t";

/**
 * Says in the title of the window what goes on, and tells a user who looks elsewhere of questions, and of long turns that end.
 * Of a terminal that does not tell whether it has the focus, a turn that takes long is all that there is to know.
 */
export class Attention {
  /** Whether the terminal has the focus; `undefined` until it tells. */
  isFocused: boolean | undefined;
  readonly #write: (text: string) => void;
  readonly #env: Readonly<Record<string, string | undefined>>;
  #isOn = false;
  #title = "";
  #asked: number | undefined;
  /** When the turn began that runs, and since when the user may be away. */
  #since: number | undefined;
  #lastSeen = 0;

  constructor(write: (text: string) => void, env: Readonly<Record<string, string | undefined>>) {
    this.#write = write;
    this.#env = env;
  }

  /** Begins, and keeps the title that the window has. */
  turnOn(): void {
    if (!this.#isOn) this.#write(begin);
    this.#isOn = true;
    this.#title = "";
  }

  /** Ends. Returns what has to be written: the window gets its title back. */
  turnOff(): string {
    const text = this.#isOn ? end : "";
    this.#isOn = false;
    return text;
  }

  /** The chat is like this now. */
  show({ agent, session, cwd, turn, questions: [question] }: ChatState, now: number): void {
    if (!this.#isOn) return;
    const name = printableLine(agent.name);
    const mark = question !== undefined ? "? " : turn !== undefined ? "… " : "";
    this.#setTitle(`${mark}${printableLine(session?.title ?? basename(cwd))} · ${name}`);
    if (question?.id !== this.#asked) {
      if (question === undefined) this.#lastSeen = now;
      else if (this.isFocused === false || this.#isLong(now)) this.#tell(`${name} waits for your answer`);
      this.#asked = question?.id;
    }
    if (turn === undefined && this.#isLong(now)) this.#tell(`${name} is done`);
    this.#since = turn?.since;
  }

  /** Whether the turn takes so long that the user may be away. */
  #isLong(now: number): boolean {
    return this.#since !== undefined && now - Math.max(this.#since, this.#lastSeen) >= longTurn;
  }

  #setTitle(title: string): void {
    if (title === this.#title) return;
    this.#title = title;
    this.#write(`\u001B]2;${textOf(truncate([span(title)], titleWidth))}${bell}`);
  }

  #tell(text: string): void {
    if (this.isFocused !== true) this.#write(notification(text, this.#env) + bell);
  }
}

/** A notification of the desktop as this terminal knows it; empty if it knows none, or would not pass it on. */
function notification(text: string, env: Readonly<Record<string, string | undefined>>): string {
  const { TMUX: tmux = "", TERM: term = "", VTE_VERSION: vte = "" } = env;
  if (tmux !== "" || /^(?:screen|tmux|linux)/u.test(term)) return "";
  const isOfVte = vte !== "" || /^(?:rxvt|foot)/u.test(term);
  return isOfVte ? `\u001B]777;notify;acp;${text.replaceAll(";", ",")}${bell}` : `\u001B]9;acp: ${text}${bell}`;
}

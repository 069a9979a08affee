import { printable } from "./printable.ts";

/** An escape sequence at the end of a text that is not complete. */
// oxlint-disable-next-line no-control-regex -- it matches control characters on purpose
const unfinished = /(?:\u001B(?:[ -/]*|\[[ -?]*|[\]PX^_][^\u0007\u001B\u009C]*\u001B?)|\u009B[ -?]*|\r)$/u;
/** How long it may become, in UTF-16 code units, before it counts as text. */
const maxUnfinished = 4_096;

/** Makes a text that comes in pieces safe for a terminal, also if an escape sequence comes in pieces. */
export class SafeText {
  #held = "";

  /** Adds a piece, and returns what can be shown. */
  push(text: string): string {
    const all = this.#held + text;
    // Most texts have none, and the pattern looks at each of their characters.
    // oxlint-disable-next-line no-control-regex -- it matches control characters on purpose
    const at = /[\u001B\u009B\r]/u.test(all) ? all.search(unfinished) : -1;
    const end = at === -1 || all.length - at > maxUnfinished ? all.length : at;
    this.#held = all.slice(end);
    return printable(all.slice(0, end));
  }

  /** Returns the rest. */
  end(): string {
    const rest = printable(this.#held);
    this.#held = "";
    return rest;
  }
}

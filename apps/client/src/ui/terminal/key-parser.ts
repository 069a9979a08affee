import { type Key, plainKey, textKeys } from "../input/keys.ts";

/** What the user did: pressed a key, or pasted a text. */
export type Typed = Key | { readonly pasted: string };

/** What a terminal sends by itself: it got the focus, or lost it; or it has shown what was written. */
export type Report = { readonly isFocused: boolean } | { readonly isShown: true };

/** Keys by the last character of their sequence. */
const byLetter: Readonly<Record<string, string>> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  F: "end",
  H: "home",
  Z: "tab",
};
const byNumber: Readonly<Record<string, string>> = {
  1: "home",
  3: "delete",
  4: "end",
  5: "pageup",
  6: "pagedown",
  7: "home",
  8: "end",
};
/** Keys by the code point that the keyboard protocol of kitty names. */
const byCode: Readonly<Record<number, string>> = {
  9: "tab",
  13: "enter",
  27: "escape",
  127: "backspace",
  57_414: "enter",
};

const pasteStart = "\u001B[200~";
const reports: Readonly<Record<string, Report>> = {
  "\u001B[I": { isFocused: true },
  "\u001B[O": { isFocused: false },
  "\u001B[0n": { isShown: true },
};
const pasteEnd = "\u001B[201~";
// oxlint-disable-next-line no-control-regex -- sequences begin with a control character
const sequence = /^\u001B(?:\[([0-?]*)[ -/]*([@-~])|O([A-Za-z]))/u;
// oxlint-disable-next-line no-control-regex -- sequences begin with a control character
const unfinished = /^\u001B(?:\[[0-?]*[ -/]*|O|\u001B(?:\[[0-?]*[ -/]*|O)?)?$/u;
const modifierBits = { shift: 1, alt: 2, ctrl: 4, super: 8, hyper: 16 } as const;

/**
 * Reads what a terminal sends while the user types: the sequences of xterm, those of the keyboard protocol of kitty, and marked
 * pasted texts. A sequence may come in parts: what is not finished waits for the next part, or for {@link end}.
 */
export class KeyParser {
  #rest = "";
  #pasted: string | undefined;

  /** Whether something waits for its next part: a lone Escape, too, since it begins all sequences. */
  get isWaiting(): boolean {
    return this.#rest !== "" && this.#pasted === undefined;
  }

  /** Takes the next part. */
  push(chunk: string): (Typed | Report)[] {
    this.#rest += chunk;
    const typed: (Typed | Report)[] = [];
    while (this.#rest !== "" && this.#readNext(typed));
    return typed;
  }

  /** No more comes for now: what waits is what it looks like. */
  end(): Typed[] {
    const rest = this.#rest;
    this.#rest = "";
    if (rest === "") return [];
    return rest === "\u001B\u001B" ? [plainKey("escape"), plainKey("escape")] : escaped(rest);
  }

  /** Reads one thing from the beginning; returns whether there was a whole one. */
  #readNext(typed: (Typed | Report)[]): boolean {
    if (this.#pasted !== undefined) return this.#readPasted(typed);
    const rest = this.#rest;
    const escape = rest.indexOf("\u001B");
    if (escape !== 0) {
      const text = escape < 0 ? rest : rest.slice(0, escape);
      typed.push(...textKeys(text));
      this.#rest = rest.slice(text.length);
      return true;
    }
    if (rest.startsWith(pasteStart)) {
      this.#pasted = "";
      this.#rest = rest.slice(pasteStart.length);
      return true;
    }
    if (unfinished.test(rest)) return false;
    // Some terminals send Alt as one more Escape.
    const isDoubled = rest.startsWith("\u001B\u001B");
    const found = sequence.exec(isDoubled ? rest.slice(1) : rest);
    if (found === null) {
      const [character = ""] = isDoubled ? ["\u001B"] : rest.slice(1);
      typed.push(...(isDoubled ? [plainKey("escape")] : escaped(`\u001B${character}`)));
      this.#rest = rest.slice(isDoubled ? 1 : 1 + character.length);
      return true;
    }
    const [whole, parameters = "", letter = "", short = ""] = found;
    const report = reports[whole];
    // The Escape before a report is a key: the terminal sends these by itself.
    if (report !== undefined) typed.push(...(isDoubled ? [plainKey("escape")] : []), report);
    else typed.push(...keysOf(parameters, letter === "" ? short : letter, isDoubled));
    this.#rest = rest.slice(whole.length + (isDoubled ? 1 : 0));
    return true;
  }

  #readPasted(typed: (Typed | Report)[]): boolean {
    const before = this.#pasted ?? "";
    const text = before + this.#rest;
    // The mark may come in parts, too.
    const end = text.indexOf(pasteEnd, Math.max(0, before.length - pasteEnd.length));
    if (end < 0) {
      this.#pasted = text;
      this.#rest = "";
      return false;
    }
    typed.push({ pasted: text.slice(0, end) });
    this.#pasted = undefined;
    this.#rest = text.slice(end + pasteEnd.length);
    return true;
  }
}

/** What follows an Escape, pressed with Alt; or the Escape alone. */
function escaped(text: string): Key[] {
  const [, ...characters] = text;
  const [first, ...others] = textKeys(characters.join(""));
  if (first === undefined) return [plainKey("escape")];
  const name = first.name === "text" ? first.text.toLowerCase() : first.name;
  return [{ ...first, name, text: "", alt: true }, ...others];
}

/** The key of a sequence; none if it is no key, or one that is not used here. */
function keysOf(parameters: string, letter: string, isAlt: boolean): Key[] {
  const [[code = ""] = [], [bits = "", event = ""] = [], [typed = ""] = []] = parameters
    .split(";")
    .map((part) => part.split(":"));
  const held = Math.max(0, Number(bits === "" ? 1 : bits) - 1);
  // `3` is the release of a key.
  if (event === "3" || (held & (modifierBits.super | modifierBits.hyper)) !== 0) return [];
  const shift = (held & modifierBits.shift) !== 0 || letter === "Z";
  const modifiers = { ctrl: (held & modifierBits.ctrl) !== 0, alt: isAlt || (held & modifierBits.alt) !== 0, shift };
  if (letter === "u") return codeKeys(Number(code), typed, modifiers);
  const name = letter === "~" ? byNumber[code] : byLetter[letter];
  return name === undefined ? [] : [{ name, text: "", ...modifiers }];
}

function codeKeys(code: number, typed: string, modifiers: Pick<Key, "ctrl" | "alt" | "shift">): Key[] {
  const name = byCode[code];
  if (name === "escape") return [plainKey("escape")];
  if (name !== undefined) return [{ name, text: "", ...modifiers }];
  // Keys without a character have codes of private use.
  if (!Number.isInteger(code) || code < 0x20 || code > 0x10_ff_ff || (code >= 0xe0_00 && code <= 0xf8_ff)) return [];
  const character = String.fromCodePoint(code);
  if (modifiers.ctrl || modifiers.alt) return [{ name: character.toLowerCase(), text: "", ...modifiers }];
  return textKeys(
    typed === "" ? (modifiers.shift ? character.toUpperCase() : character) : String.fromCodePoint(Number(typed)),
  );
}

import type { Token, Tokens } from "marked";

import { SafeText } from "../text/terminal-lines.ts";
import { lex } from "./lex.ts";

/** How much text is read at once, and how long a block may become before its beginning is final; in UTF-16 code units. */
const portion = 2_048;
/** How much is read for one frame: the rest has to wait for the next one. */
const perFrame = 32 * portion;
/** How many lines of code may wait for the end of their block, and how much code above them decides about their colours. */
const maxCodeLines = 8;
const maxCodeBefore = 2_000;

/** Blocks of Markdown that were found together. Once they are final, they stay the same object. */
export interface MarkdownPart {
  readonly tokens: readonly Token[];
  /** It goes on with the block before it: nothing separates them. */
  readonly goesOn: boolean;
  /** The number of its first item, if it goes on with a list. */
  readonly nextNumber: number | undefined;
  /** The code above it, if it goes on with a block of code. */
  readonly codeBefore: string;
}

/** What a message consists of now. */
export interface ReadMarkdown {
  /** Parts that do not change any more, and were not returned before. */
  readonly done: readonly MarkdownPart[];
  /** The last blocks, which may change. */
  readonly live: MarkdownPart;
  /** Whether all of the text was read. If not, read again. */
  readonly isRead: boolean;
}

/**
 * Reads Markdown while it arrives. A block is final when the next one begins; items of a list, lines of code, and the
 * beginning of a very long block are final earlier. So the work for new text does not grow with the length of the message.
 */
export class MarkdownBlocks {
  readonly #safe = new SafeText();
  /** How much of the message was read. */
  #read = 0;
  /** The text that is not final. */
  #tail = "";
  #done: MarkdownPart[] = [];
  #goesOn = false;
  /** The number of the next item of the list that goes on. */
  #nextNumber: number | undefined;
  /** The lines of code above those that are not final. */
  #codeBefore = "";

  /** Reads the text of the message so far, which begins with the text at the last call; a long one in parts. */
  read(text: string, isOpen: boolean): ReadMarkdown {
    const end = Math.min(text.length, this.#read + perFrame);
    while (this.#read < end) {
      this.#tail += this.#safe.push(text.slice(this.#read, this.#read + portion));
      this.#read = Math.min(text.length, this.#read + portion);
      if (this.#read < text.length) this.#settle();
    }
    const isRead = this.#read === text.length;
    let live = this.#part([]);
    if (isOpen) live = this.#settle();
    else if (isRead) {
      this.#tail += this.#safe.end();
      this.#finish(lex(this.#tail));
      this.#tail = "";
    }
    const done = this.#done;
    this.#done = [];
    return { done, live, isRead };
  }

  /** Moves what is final from the tail to the parts that are done, and returns the rest. */
  #settle(): MarkdownPart {
    for (;;) {
      const tokens = lex(this.#tail);
      const last = tokens.findLastIndex(({ type }) => type !== "space");
      const isMoved =
        last >= 0 &&
        (this.#settleBlocks(tokens.slice(0, last)) ||
          this.#settleList(tokens[last]) ||
          this.#settleCode(tokens[last]) ||
          this.#settleLong());
      if (!isMoved) return this.#part(tokens);
    }
  }

  #settleBlocks(tokens: readonly Token[]): boolean {
    const raw = tokens.map((token) => token.raw).join("");
    if (raw.trim() === "" || !this.#tail.startsWith(raw)) return false;
    this.#finish(tokens);
    this.#tail = this.#tail.slice(raw.length);
    return true;
  }

  /** All items but the last are final. */
  #settleList(token: Token | undefined): boolean {
    if (!isList(token) || token.items.length < 2) return false;
    const items = token.items.slice(0, -1);
    const raw = items.map((item) => item.raw).join("");
    const at = this.#tail.indexOf(raw);
    if (raw === "" || at === -1 || this.#tail.slice(0, at).trim() !== "") return false;
    const number = this.#nextNumber ?? Number(token.start);
    this.#finish([{ ...token, items }]);
    this.#tail = this.#tail.slice(at + raw.length);
    this.#goesOn = true;
    this.#nextNumber = number + items.length;
    return true;
  }

  /** Complete lines of a code block that has not ended are final, once there are some of them. */
  #settleCode(token: Token | undefined): boolean {
    const [opening, fence = ""] = /^\s*((`{3,}|~{3,})[^\n]*\n)/u.exec(this.#tail) ?? [];
    if (token?.type !== "code" || opening === undefined) return false;
    const code = this.#tail.slice(opening.length);
    const end = code.lastIndexOf("\n") + 1;
    const lines = code.slice(0, end);
    const isClosed = new RegExp(`^ {0,3}${fence.trim().startsWith("~") ? "~{3,}" : "`{3,}"}[ \\t]*$`, "mu").test(code);
    if (isClosed || lines.split("\n").length <= maxCodeLines) return false;
    const before = this.#codeBefore;
    this.#finish([{ ...token, text: lines.slice(0, -1) }]);
    const above = before + lines;
    this.#codeBefore = above.length <= maxCodeBefore ? above : above.slice(-maxCodeBefore).replace(/^[^\n]*\n/u, "");
    this.#goesOn = true;
    // The rest is a code block of the same language.
    this.#tail = opening.trimStart() + code.slice(end);
    return true;
  }

  /** The beginning of a block that is too long becomes a block. */
  #settleLong(): boolean {
    if (this.#tail.length <= 2 * portion) return false;
    const [above = "", begun] = /^\s*(\|?[^\n]*\|[^\n]*\n[ \t]*\|?[ \t]*:?-[^\n]*\n)/u.exec(this.#tail) ?? [];
    // With a head that is longer, the rest would never become shorter.
    const head = above.length <= portion / 2 ? begun : undefined;
    const end = endOfSentence(this.#tail.slice(0, portion), head !== undefined);
    const beginning = this.#tail.slice(0, end);
    this.#finish(lex(beginning));
    this.#goesOn = head === undefined;
    const quote = /^\s*(?:> ?)+/u.exec(beginning)?.[0].trim();
    const rest = this.#tail.slice(end).replace(/^\s+/u, "");
    // A table begins again with its head, and a quote goes on.
    this.#tail = (head ?? (quote === undefined || rest.startsWith(">") ? "" : `${quote} `)) + rest;
    return true;
  }

  #finish(tokens: readonly Token[]): void {
    this.#done.push(this.#part(tokens));
    this.#goesOn = false;
    this.#nextNumber = undefined;
    this.#codeBefore = "";
  }

  #part(tokens: readonly Token[]): MarkdownPart {
    return { tokens, goesOn: this.#goesOn, nextNumber: this.#nextNumber, codeBefore: this.#codeBefore };
  }
}

/** Whether a block is a list. */
export function isList(token: Token | undefined): token is Tokens.List {
  return token?.type === "list";
}

/** Where to cut a text: after its last line, sentence or word. */
function endOfSentence(text: string, isTable: boolean): number {
  const from = Math.floor(text.length / 2);
  const pattern = isTable ? ["\n"] : ["\n", ". ", " "];
  for (const end of pattern) {
    const at = text.lastIndexOf(end);
    if (at >= from) return at + end.length;
  }
  // Do not cut a surrogate pair.
  return /[\uD800-\uDBFF]$/u.test(text) ? text.length - 1 : text.length;
}

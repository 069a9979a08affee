import type { Token, Tokens } from "marked";

import type { Line } from "../text/spans.ts";
import { blockLines } from "./block-lines.ts";
import { codeLines } from "./code-lines.ts";
import { isList, MarkdownBlocks, type MarkdownPart } from "./markdown-blocks.ts";

/** What a message looks like now. */
export interface DrawnMarkdown {
  /** Lines that do not change any more, and were not returned before. */
  readonly done: readonly Line[];
  /** The lines of the last block, which may change. */
  readonly live: readonly Line[];
  /** Whether all of the text was read. If not, draw again. */
  readonly isRead: boolean;
}

/** Draws Markdown while it arrives, as {@link MarkdownBlocks} reads it. */
export class MarkdownStream {
  readonly #blocks = new MarkdownBlocks();
  /** Some lines are final: an empty line separates the next block from them, unless it goes on. */
  #isBegun = false;

  /** Draws the text of the message so far, which begins with the text at the last call; a long one in parts. */
  draw(text: string, isOpen: boolean, width: number): DrawnMarkdown {
    const read = this.#blocks.read(text, isOpen);
    const done: Line[] = [];
    for (const part of read.done) {
      const lines = this.#linesOf(part, width);
      // Not by spreading: there may be very many.
      for (const line of lines) done.push(line);
      this.#isBegun ||= lines.length > 0;
    }
    return { done, live: this.#linesOf(read.live, width), isRead: read.isRead };
  }

  #linesOf(part: MarkdownPart, width: number): Line[] {
    const lines = partLines(part, width);
    return this.#isBegun && !part.goesOn && lines.length > 0 ? [[], ...lines] : lines;
  }
}

function partLines({ tokens, nextNumber, codeBefore }: MarkdownPart, width: number): Line[] {
  const first = tokens.findIndex(({ type }) => type !== "space");
  const token = tokens[first];
  if (token === undefined) return [];
  const rest = tokens.slice(first + 1);
  if (nextNumber !== undefined && isList(token) && token.ordered) {
    return blockLines([{ ...token, start: nextNumber }, ...rest], width);
  }
  if (codeBefore !== "" && token.type === "code") {
    const { text } = token as Tokens.Code;
    const code = text === "" ? [] : codeLines(text, languageOf(token), width, codeBefore);
    const more = blockLines(rest, width);
    return more.length === 0 ? code : [...code, [], ...more];
  }
  // A list that went on has ended, and something else follows it.
  const lines = blockLines([token, ...rest], width);
  return nextNumber !== undefined && !isList(token) ? [[], ...lines] : lines;
}

function languageOf(token: Token): string {
  return (token as Tokens.Code).lang ?? "";
}

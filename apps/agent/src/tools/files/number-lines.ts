import { truncateText } from "../../truncate-text.ts";

/** How many lines one call returns at most. */
export const maxLines = 2000;
/** How many characters one call returns at most, without the numbers. */
const maxLength = 100_000;
const longestLine = 2000;

/** Lines for the model. */
export interface NumberedLines {
  /** With numbers, and with a note if the file goes on. */
  readonly numbered: string;
  /** The lines themselves, as they are in the file. */
  readonly shown: string;
}

/**
 * Numbers the lines of a text that begins with the line `first` of its file: at most `limit` of them, and only as many as are
 * good for a model. The numbers are for the model to find its way; they are no part of the file.
 */
export function numberLines(text: string, first: number, limit: number): NumberedLines {
  const lines = text.replace(/^\uFEFF/u, "").split(/(?<=\n)/u);
  if (lines.length === 1 && lines[0] === "") return { numbered: "[The file is empty.]", shown: text };
  const numbered: string[] = [];
  let length = 0;
  for (const line of lines.slice(0, limit)) {
    const whole = line.replace(/\r?\n$/u, "");
    const cut = truncateText(whole, longestLine);
    length += cut.length;
    if (length > maxLength && numbered.length > 0) break;
    const note = cut.length === whole.length ? "" : `[${whole.length - cut.length} more characters]`;
    numbered.push(`${first + numbered.length}\t${cut}${note}`);
  }
  const { length: count } = numbered;
  if (count < lines.length) numbered.push(`[The file goes on. To read more, call read with line ${first + count}.]`);
  return {
    numbered: numbered.join("\n"),
    shown: text
      .split(/(?<=\n)/u)
      .slice(0, count)
      .join(""),
  };
}

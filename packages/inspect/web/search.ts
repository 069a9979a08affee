import type { Texts } from "./texts.ts";
import type { Trace } from "./trace.ts";

/** The text of a chunk, as JSON writes it. */
const chunkText = /"text":"((?:[^"\\]|\\.)*)"/u;

/**
 * Searches a text in all messages that `isWanted`; a text that came in chunks is searched as a whole. Tells the rows that have it
 * part by part, with how much is done, until `signal` ends it.
 */
export async function search(
  wanted: string,
  {
    trace,
    texts,
    isWanted,
  }: { readonly trace: Trace; readonly texts: Texts; readonly isWanted: (row: number) => boolean },
  found: (rows: readonly number[], done: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const plain = wanted.toLowerCase();
  const escaped = JSON.stringify(plain).slice(1, -1);
  const has = (text: string): boolean => {
    const lower = text.toLowerCase();
    return lower.includes(plain) || lower.includes(escaped);
  };
  let row = -1;
  /** What the last text of the row ends with: the wanted text may go on in the next part. */
  let tail = "";
  let isFound = false;
  for await (const { start, texts: part } of texts.parts()) {
    if (signal.aborted) return;
    const rows: number[] = [];
    for (const [at, text] of part.entries()) {
      const message = start + at;
      const isNew = ((trace.marks[message] ?? 0) & 2) === 0 || row < 0;
      if (isNew) {
        row = message;
        tail = "";
        isFound = !isWanted(row);
      }
      if (isFound) continue;
      const joined = tail + (chunkText.exec(text)?.[1] ?? "");
      if (has(text) || (!isNew && has(joined))) {
        isFound = true;
        rows.push(row);
      }
      tail = joined.slice(-2 * escaped.length);
    }
    found(rows, (start + part.length) / trace.count);
    // The page has to draw, and to hear of what was pressed.
    await new Promise((resolve) => setTimeout(resolve));
  }
}

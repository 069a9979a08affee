import { createHash } from "node:crypto";

/** Lines of a file that the model knows, by a digest: it is enough to see whether they have changed. */
interface SeenPart {
  /** Counts from 1. */
  readonly line: number;
  readonly count: number;
  readonly digest: string;
}

/**
 * What the model has seen of the files in a session. A change is refused if somebody else has changed what the model knows
 * of the file: it would be made for a text that is no longer there.
 */
export class SeenFiles {
  readonly #parts = new Map<string, readonly SeenPart[]>();

  /** Notes lines that the model has read. `text` begins with the line `line`, counted from 1. */
  noteLines(path: string, line: number, text: string): void {
    const part = { line, count: splitLines(text).length, digest: digestOf(text) };
    const others = (this.#parts.get(path) ?? []).filter((seen) => seen.line !== line || seen.count !== part.count);
    this.#parts.set(path, [...others, part]);
  }

  /** Notes the whole file as it is now; `undefined` if it does not exist. */
  noteWhole(path: string, text: string | undefined): void {
    this.#parts.set(path, [{ line: 1, count: Infinity, digest: digestOf(text) }]);
  }

  /**
   * Whether what the model knows of the file is still there. It is true of a file that the model has not seen.
   *
   * @param text The file as it is now; `undefined` if it does not exist.
   */
  isCurrent(path: string, text: string | undefined): boolean {
    const lines = text === undefined ? undefined : splitLines(text);
    return (this.#parts.get(path) ?? []).every(
      ({ line, count, digest }) => digest === digestOf(lines?.slice(line - 1, line - 1 + count).join("")),
    );
  }
}

/** The lines of a text, each with its end. */
function splitLines(text: string): string[] {
  return text.split(/(?<=\n)/u);
}

function digestOf(text: string | undefined): string {
  return text === undefined ? "missing" : createHash("sha256").update(text).digest("base64");
}

/** White space before a line, which JSON allows and never writes itself, says what the line is. */
export const grownMark = " ";
/** Marks the lines of the store itself. */
export const ownMark = "\t";

/** Whether the text at the end of a line was growing: the line can be read as far as it has come. */
export function hasGrown(bytes: Uint8Array): boolean {
  return bytes[0] === grownMark.charCodeAt(0);
}

/** A line that was read. */
export interface ReadLine {
  readonly value: unknown;
  /** Whether it is one of the store itself, and no entry. */
  readonly isOwn: boolean;
}

/** Reads a line, or says why it cannot be read. */
export function parseLine(bytes: Uint8Array): ReadLine | { readonly reason: string } {
  let text: string;
  try {
    // The last character of a text that was growing may be there in part: a stream waits for the rest.
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: hasGrown(bytes) });
  } catch {
    return { reason: "it is not UTF-8" };
  }
  const value = parse(text) ?? (hasGrown(bytes) ? parseUnfinished(text) : undefined);
  return value === undefined ? { reason: "it is not JSON" } : { value: value.json, isOwn: text.startsWith(ownMark) };
}

interface Parsed {
  readonly json: unknown;
}

function parse(text: string): Parsed | undefined {
  try {
    return { json: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/** More than any entry has. */
const deepest = 16;

/** Reads a line that was left in the middle of the text that it ends with. */
function parseUnfinished(text: string): Parsed | undefined {
  // An escape that was left in its middle.
  const whole = text.replace(/(?<!\\)((?:\\\\)*)\\(?:u[\da-f]{0,3})?$/u, "$1");
  for (let depth = 0; depth <= deepest; depth++) {
    const parsed = parse(`${whole}"${"}".repeat(depth)}`);
    if (parsed !== undefined) return parsed;
  }
  return undefined;
}

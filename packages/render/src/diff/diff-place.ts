/** Where a change is in its file. */
export interface DiffPlace {
  /** How many lines of the file there are above it. */
  readonly above: number;
  readonly endsFile: boolean;
}

/**
 * Finds a change in the text of its file: many agents send only the lines that change, so the numbers would begin with 1. Returns
 * `undefined` if the file has the text nowhere or more than once. The agent may have made the change already.
 */
export function findPlace(file: string, before: string, after: string): DiffPlace | undefined {
  return placeOf(before, file) ?? placeOf(after, file);
}

function placeOf(text: string, file: string): DiffPlace | undefined {
  const start = file.indexOf(text);
  if (text === "" || start < 0 || file.includes(text, start + 1)) return undefined;
  return { above: file.slice(0, start).split("\n").length - 1, endsFile: start + text.length === file.length };
}

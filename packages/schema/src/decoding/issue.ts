/** Where a value sits inside a message: member names and array indexes, outermost first. */
export type Path = readonly (string | number)[];

/**
 * Something a decoder found wrong with a received value.
 *
 * - `replaced`: the member did not decode; it was left out or given its default.
 * - `skipped`: the array item did not decode; it was left out.
 * - `unknown`: the variant is not one this version knows; it is kept under {@link unknownVariant}.
 *
 * A value that is refused as a whole is none of these: `decode` returns its `path` and `reason`.
 */
export interface Issue {
  /** What was done about it. `rejected` does not occur in what was received. */
  readonly action: "replaced" | "skipped" | "unknown" | "rejected";
  /** Where it is. */
  readonly path: Path;
  /**
   * What was expected and what came: `expected a string, got a number`. It never quotes the value, unless that is a number
   * out of range.
   */
  readonly reason: string;
  /**
   * Only of an unknown variant: `true` if the schema has no room for it, or it is a known one that did not decode. A schema
   * that lists a variant for other kinds has room for an unknown one, which is valid then. Not enumerable.
   */
  readonly isInvalid?: boolean;
}

/** `/update/content/0`: a JSON Pointer (RFC 6901) to the place; the empty string is the whole value. */
export function formatPath(path: Path): string {
  return Array.from(path ?? [], (part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

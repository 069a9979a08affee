/** Counts a string as JSON Schema does for `minLength`: in code points, so a surrogate pair is one. */
export function codePoints(text: unknown): number {
  return Array.from(String(text)).length;
}

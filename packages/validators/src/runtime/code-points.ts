/** Counts a string as JSON Schema does for `minLength`: in code points, so a surrogate pair is one. */
export function codePoints(text: string): number {
  return Array.from(text).length;
}

/** The length of a string as JSON Schema counts it for `minLength`: in code points, a surrogate pair being one. */
export function codePoints(text: string): number {
  return Array.from(text).length;
}

/**
 * Replaces the characters of strings, templates and comments by spaces, so that searches only find code. Every other
 * character keeps its position.
 */
export function maskStringsAndComments(source: string): string {
  return source.replaceAll(
    /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\[\s\S]|[^`\\])*`/gu,
    (text) => text.replaceAll(/[^\n]/gu, " "),
  );
}

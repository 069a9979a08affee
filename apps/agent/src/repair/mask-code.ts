/**
 * The source with everything inside of strings and comments replaced by spaces, so that only code is
 * looked at; every other character stays where it is. Templates count as strings.
 */
export function maskStringsAndComments(source: string): string {
  return source.replaceAll(
    /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\[\s\S]|[^`\\])*`/gu,
    (text) => text.replaceAll(/[^\n]/gu, " "),
  );
}

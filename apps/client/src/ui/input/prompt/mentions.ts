/** A name of a file in a prompt. */
export interface Mention {
  readonly path: string;
  /** Written with `@`. Other names count for images only. */
  readonly isMarked: boolean;
}

/** `@name`, `@"a name"`, or a name alone: in quotes, or with a backslash before each space, as terminals paste dropped files. */
const written = /(?<=^|[\s([{,])(@?)(?:"([^"\n]+)"|'([^'\n]+)'|((?:\\[^\n]|[^\s"'\\@([{,])(?:\\[^\n]|[^\s\\])*))/gu;

/** All that may be a name of a file in a prompt. */
export function mentionsOf(text: string): Mention[] {
  return [...text.matchAll(written)].flatMap(([, mark = "", double, single, bare = ""]) => {
    const isMarked = mark === "@";
    const quoted = double ?? single;
    if (quoted !== undefined) return [{ path: quoted, isMarked }];
    // On Windows a backslash separates folders.
    const path = process.platform === "win32" ? bare : bare.replaceAll(/\\([^\n])/gu, "$1");
    return [{ path, isMarked }];
  });
}

/** How to mention a file: in quotes if it has spaces. */
export function mention(path: string): string {
  return /[\s"'\\()[\]{},]/u.test(path) ? `@"${path}"` : `@${path}`;
}

/** The names that a mention may stand for: it, and it without the punctuation or the line number behind it. */
export function spellings(path: string): string[] {
  const bare = path.replace(/[.,;:!?)\]}]+$/u, "");
  const names = [path, bare, bare.replace(/:\d+(?:[-:]\d+)?$/u, "").replace(/#L\d+(?:-L?\d+)?$/u, "")];
  return [...new Set(names)].filter((name) => name !== "");
}

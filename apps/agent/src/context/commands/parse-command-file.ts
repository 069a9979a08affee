import { truncateText } from "../../truncate-text.ts";

/** What the file of a command says. */
export interface CommandFile {
  readonly description: string;
  /** A placeholder for what the user types behind the name. */
  readonly hint: string | undefined;
  /** The prompt. */
  readonly text: string;
}

const longestDescription = 100;

/**
 * Reads the file of a command: Markdown, which may begin with front matter.
 *
 * ```md
 * ---
 * description: Explains a file
 * argument-hint: [path]
 * ---
 * Explain $ARGUMENTS to somebody who is new to the project.
 * ```
 *
 * Each line of the front matter is a name and a text. It is no YAML: `[path] [depth]`, as people write it here, would not be any.
 */
export function parseCommandFile(file: string): CommandFile {
  const [, front = "", body = file] = /^---\r?\n((?:.*\n)*?)---[ \t]*(?:\r?\n([\s\S]*))?$/u.exec(file) ?? [];
  const text = body.trim();
  return {
    text,
    description: shorten(valueOf(front, "description") ?? firstLine(text)),
    hint: valueOf(front, "argument-hint") ?? (/\$(?:ARGUMENTS\b|[1-9])/u.test(text) ? "arguments" : undefined),
  };
}

function valueOf(front: string, name: string): string | undefined {
  const line = front.split(/\r?\n/u).find((one) => one.startsWith(`${name}:`));
  const value = line?.slice(name.length + 1).trim();
  const unquoted = /^(["'])(.*)\1$/u.exec(value ?? "")?.[2] ?? value;
  return unquoted === "" ? undefined : unquoted;
}

function firstLine(text: string): string {
  return (text.split("\n", 1)[0] ?? "").replace(/^#+\s*/u, "").trim();
}

function shorten(text: string): string {
  return text.length <= longestDescription ? text : `${truncateText(text, longestDescription - 1)}…`;
}

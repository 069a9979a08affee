import type { useCommands } from "@acp/react";

type Commands = ReturnType<typeof useCommands>;

/** A file of the project. */
export interface ProjectFile {
  /** Below the directory of the server, with `/`. */
  readonly path: string;
  readonly uri: string;
}

/** The word before the cursor that may be completed. */
export interface CompletedWord {
  readonly kind: "command" | "file";
  readonly start: number;
  readonly query: string;
}

/** What the word may become. */
export interface Completion {
  readonly label: string;
  readonly detail: string;
  /** What takes the place of the word. */
  readonly insert: string;
  readonly file?: ProjectFile;
}

/** The word to complete: a command at the beginning, or a file behind `@`. */
export function wordAt(text: string, cursor: number): CompletedWord | undefined {
  const before = text.slice(0, cursor);
  const command = /^\/(\S*)$/u.exec(before);
  if (command !== null) return { kind: "command", start: 0, query: command[1] ?? "" };
  const file = /(?:^|\s)(@(?:"([^"\n]*)|([^\s"]*)))$/u.exec(before);
  if (file === null) return undefined;
  const [, whole = "", quoted, bare] = file;
  return { kind: "file", start: cursor - whole.length, query: quoted ?? bare ?? "" };
}

/** The commands that begin with a query, then those that have it elsewhere. */
export function completeCommand(commands: Commands, query: string): readonly Completion[] {
  const lower = query.toLowerCase();
  const place = (name: string): number => name.toLowerCase().indexOf(lower);
  return commands
    .filter(({ name }) => place(name) >= 0 && !/[\s\p{Cc}]/u.test(name))
    .toSorted((one, other) => Math.min(1, place(one.name)) - Math.min(1, place(other.name)))
    .slice(0, 20)
    .map(({ name, description, input }) => ({
      label: `/${name}`,
      detail: [input?.hint, description].filter(Boolean).join(" · "),
      insert: `/${name} `,
    }));
}

/** The files that the server has found. */
export function completeFile(files: readonly ProjectFile[]): readonly Completion[] {
  return files.map((file) => ({ label: file.path, detail: "", insert: `${mention(file.path)} `, file }));
}

/** A file as it is written in a prompt. */
export function mention(path: string): string {
  return /[\s"'\\()[\]{},]/u.test(path) ? `@"${path}"` : `@${path}`;
}

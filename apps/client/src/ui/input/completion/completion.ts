import { printableLine } from "@acp/render/text";

import type { ChatCommand } from "../../chat-state.ts";
import type { Editor } from "../editor/editor.ts";
import { mention } from "../prompt/mentions.ts";
import { fuzzyScore } from "../../../text/fuzzy.ts";
import type { ProjectFiles } from "../../../text/project-files.ts";

/** A list of what the word before the cursor may become. */
export interface Completion {
  readonly kind: "command" | "file";
  /** The part of the text that an item replaces. */
  readonly start: number;
  readonly end: number;
  readonly items: readonly CompletionItem[];
  readonly selected: number;
  /** Files are still being listed. */
  readonly isWaiting: boolean;
}

export interface CompletionItem {
  readonly label: string;
  readonly detail: string;
  /** What it puts into the text. */
  readonly insert: string;
  /** More can be typed behind it at once: a file in a folder. */
  readonly isOpen: boolean;
  /** A command that takes no input: it is complete. */
  readonly isWhole: boolean;
}

/** How many files are offered; more would not help to find one. */
const fileLimit = 50;

/** What the word before the cursor may become; `undefined` if it is no name of a command or a file. */
export function completionAt(
  { text, cursor }: Pick<Editor, "text" | "cursor">,
  commands: readonly ChatCommand[],
  files: ProjectFiles | undefined,
): Completion | undefined {
  const before = text.slice(0, cursor);
  const [, command] = /^\/(\S*)$/u.exec(before) ?? [];
  if (command !== undefined) {
    const items = commandItems(command, commands);
    return { kind: "command", start: 0, end: cursor + restOfWord(text, cursor), items, selected: 0, isWaiting: false };
  }
  const [whole = "", quoted, bare = ""] = /(?<=^|[\s([{,])@(?:"([^"\n]*)|([^\s"]*))$/u.exec(before) ?? [];
  if (files === undefined || whole === "") return undefined;
  const found = files.find(quoted ?? bare, fileLimit);
  const items = (found ?? []).map((file) => fileItem(file));
  return {
    kind: "file",
    start: cursor - whole.length,
    end: cursor,
    items,
    selected: 0,
    isWaiting: found === undefined,
  };
}

function restOfWord(text: string, cursor: number): number {
  return /^\S*/u.exec(text.slice(cursor))?.[0].length ?? 0;
}

function commandItems(typed: string, commands: readonly ChatCommand[]): CompletionItem[] {
  const lower = typed.toLowerCase();
  return (
    commands
      // A name with a line break or an escape sequence in it cannot be typed.
      .filter(({ name }) => name === printableLine(name) && !/\s/u.test(name))
      .flatMap((command) => {
        const name = command.name.toLowerCase();
        const score = name === lower ? 3_000 : name.startsWith(lower) ? 2_000 : fuzzyScore(lower, name);
        return score === undefined ? [] : [{ command, score }];
      })
      .toSorted((one, other) => (typed === "" ? 0 : other.score - one.score))
      .map(({ command: { name, description = "", hint, takesInput } }) => ({
        label: commandLabel({ name, hint }),
        detail: description,
        insert: takesInput || hint !== undefined ? `/${name} ` : `/${name}`,
        isOpen: false,
        isWhole: !takesInput && hint === undefined,
      }))
  );
}

function fileItem(file: string): CompletionItem {
  const isOpen = file.endsWith("/");
  const written = mention(file);
  // The quote stays open behind a folder.
  const insert = isOpen ? written.replace(/"$/u, "") : `${written} `;
  return { label: file, detail: "", insert, isOpen, isWhole: false };
}

/** A command with its hint as in a usage line: `/mode <mode>`. Some agents put the brackets into the hint. */
export function commandLabel({ name, hint }: Pick<ChatCommand, "name" | "hint">): string {
  if (hint === undefined || hint === "") return `/${name}`;
  return /^[<[(]/u.test(hint) ? `/${name} ${hint}` : `/${name} <${hint}>`;
}

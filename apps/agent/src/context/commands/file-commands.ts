import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";

import { projectFolders } from "../project-folders.ts";
import { parseCommandFile } from "./parse-command-file.ts";

/** A slash command that somebody has written as a Markdown file. */
export interface FileCommand {
  readonly name: string;
  readonly description: string;
  readonly hint: string | undefined;
  /** The prompt for the model. */
  expand(input: string): string;
}

/** Where projects keep commands: a name of no agent in particular, and the one that most of them use. */
const folderNames = [".agents/commands", ".claude/commands"] as const;

/** In bytes. A prompt is no longer. */
const largestFile = 64 * 1024;

/** What is in the folders may be anything. */
const mostCommands = 100;

/**
 * Reads the commands of the user, from `commands` in the folder of the configuration, and those of the project. Of two with the
 * same name the first one counts: that of the user, and else the nearest to the working directory.
 *
 * A file is a prompt and nothing more: it runs no command, grants no permission and chooses no model, whatever its front matter
 * says. What the model does with the prompt goes through the same permissions as always.
 */
export async function readFileCommands(
  directories: readonly [cwd: string, ...others: string[]],
  configFolder?: string,
): Promise<readonly FileCommand[]> {
  const project = new Set([...(await projectFolders(directories[0])), ...directories]);
  const folders = [
    ...(configFolder === undefined ? [] : [join(configFolder, "commands")]),
    ...[...project].flatMap((folder) => folderNames.map((name) => join(folder, name))),
  ];
  const commands = new Map<string, FileCommand>();
  for (const folder of folders) {
    for (const command of await readFolder(folder)) {
      if (!commands.has(command.name) && commands.size < mostCommands) commands.set(command.name, command);
    }
  }
  return [...commands.values()].toSorted((a, b) => a.name.localeCompare(b.name));
}

/** Commands may be sorted into folders, which do not count for their names. */
async function readFolder(folder: string): Promise<readonly FileCommand[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries
    .filter((entry) => entry.isFile() && /^[^\s/]+\.md$/u.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted();
  const commands = await Promise.all(files.slice(0, mostCommands).map(readCommand));
  return commands.filter((command) => command !== undefined);
}

async function readCommand(path: string): Promise<FileCommand | undefined> {
  // A file that has gone meanwhile, or cannot be read, is no command.
  const size = (await stat(path).catch(() => undefined))?.size;
  if (size === undefined || size > largestFile) return undefined;
  const file = await readFile(path, "utf8").catch(() => "");
  const { text, ...described } = parseCommandFile(file);
  if (text === "") return undefined;
  return { name: basename(path, ".md"), ...described, expand: (input) => fillPlaceholders(text, input) };
}

/**
 * Puts what the user has typed behind the name of a command into the text of the command: `$ARGUMENTS` is all of it, `$1` to `$9`
 * are its words; quotes keep several words together. A text without placeholders gets it at its end.
 */
export function fillPlaceholders(text: string, input: string): string {
  const words = splitWords(input);
  let isFilled = false;
  // In one go: what the user has typed is not searched for placeholders.
  const filled = text.replaceAll(/\$(?:ARGUMENTS\b|([1-9])(?!\d))/gu, (_, digit: string | undefined) => {
    isFilled = true;
    return digit === undefined ? input : (words[Number(digit) - 1] ?? "");
  });
  return isFilled || input === "" ? filled : `${text}\n\n${input}`;
}

function splitWords(input: string): string[] {
  const matches = input.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/gu);
  return [...matches].map(([, double, single, plain]) => double ?? single ?? plain ?? "");
}

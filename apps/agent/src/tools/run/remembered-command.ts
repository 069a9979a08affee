import { isProtectedName } from "../../protect/protected-names.ts";
import type { Remembered } from "../agent-tools.ts";
import { resolveProgram } from "./resolve-program.ts";

/** A line that every shell reads as a program and its arguments. */
const plainLine = /^[\w@+:,./-][\w@+=:,./ -]*$/u;

/** A word that is no option, no path, no address and no setting. */
const plainWord = /^[a-z\d][\w.-]*$/iu;

/**
 * Subcommands of Git that only read, whatever plain words follow. Their options do more: `--output` writes, `--ext-diff` starts
 * programs.
 */
const reading: ReadonlySet<string> = new Set(
  "blame describe diff log ls-files ls-tree rev-parse shortlog show status".split(" "),
);

/** The longest line that the option for "always" shows; it says "exactly this command" of others. */
const longestShown = 60;

/**
 * What "always" refers to when the user chooses it for a command: exactly this line, with the program that it starts now. Only
 * for what is known to read, plain words may follow. `undefined` for a line that names a protected place: that is asked each time.
 */
export async function rememberedCommand(line: string, cwd: string): Promise<Remembered | undefined> {
  // A shell takes other white space for a part of a word.
  const text = line.replaceAll(/^[ \t\n]+|[ \t\n]+$/gu, "");
  if (namesProtectedPlace(text)) return undefined;
  const shown = /^[\x20-\x5F\x61-\x7E]+$/u.test(text) && text.length <= longestShown ? `\`${text}\`` : "this command";
  const exactly = `exactly ${shown} in this session`;
  const [name = "", ...words] = text.split(/ +/u);
  if (!plainLine.test(text) || name.includes("=")) return { key: `line ${text}`, scope: exactly };
  const program = await resolveProgram(name, cwd);
  const [subcommand = "", ...rest] = words;
  const isReading = reading.has(subcommand) && rest.every((word) => plainWord.test(word));
  if (isReading && program === (await resolveProgram("git", cwd)))
    return {
      key: `words ${program} ${subcommand}`,
      scope: `\`git ${subcommand}\` with any plain words in this session`,
    };
  return { key: `words of ${JSON.stringify([program, ...words])}`, scope: exactly };
}

function namesProtectedPlace(line: string): boolean {
  return line.split(/[\s"'`;&|<>()=,:{}$]+/u).some(isProtectedName);
}

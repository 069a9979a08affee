import { basename } from "node:path";

/**
 * The first line of the toolkit's messages about a process: what comes before its whole command line, that, and what comes
 * behind. The last "(pid …)" is the message's own: an argument may contain another one.
 */
const aboutProcess = /^(The agent process )?(.+)( \(pid \d+\)| could not be started within \d+ ms)/u;
/** A word of a command line as the toolkit writes it. */
const words = /"(?:[^"\\]|\\.)*"|\S+/gu;

/** Names the program alone in such a message: the command line is long, and may hold keys. */
export function nameProgram(message: string): string {
  return message.replace(aboutProcess, (_, start: string | undefined, line: string, end: string) => {
    const [command = "", ...args] = (line.match(words) ?? []).map(unquote);
    return `${start ?? ""}${programName(command, args)}${end}`;
  });
}

function unquote(word: string): string {
  if (!word.startsWith('"')) return word;
  try {
    return String(JSON.parse(word));
  } catch {
    return word;
  }
}

/** Options of `env` whose next word belongs to them. */
const withValue: ReadonlySet<string> = new Set(["-u", "--unset", "-C", "--chdir"]);

/**
 * The name of the program that a command starts, for messages: `node` for `env KEY=… /usr/bin/node agent.js`. The rest of the
 * command is long, and may hold keys.
 */
export function programName(command: string, args: readonly string[]): string {
  const name = basename(command);
  if (name !== "env") return name;
  let isValue = false;
  for (const [index, word] of args.entries()) {
    // `env` splits this text into the words of the command by itself.
    if (/^(?:-S|--split-string)/u.test(word)) return name;
    if (isValue) isValue = false;
    else if (withValue.has(word)) isValue = true;
    else if (!word.startsWith("-") && !/^\w+=/u.test(word)) return programName(word, args.slice(index + 1));
  }
  return name;
}

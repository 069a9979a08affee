import { programName } from "../agents/program-name.ts";

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

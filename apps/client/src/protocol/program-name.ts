import { basename } from "node:path";

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

import { type CommandSpec, commandIn } from "../cli/command.ts";
import type { Environment } from "../cli/streams.ts";

/** What can stand in a place of a command line: words, or what only a shell can list. */
export interface Offers {
  readonly kind: "words" | "file" | "directory" | "command";
  readonly words: readonly (readonly [word: string, help?: string])[];
}

/** What can stand in the place of the last word of a line, which need not be complete. The line has no `acp` at its beginning. */
export async function offersFor(line: readonly string[], acp: CommandSpec, env: Environment): Promise<Offers> {
  const dashes = line.indexOf("--");
  if (dashes >= 0 && dashes < line.length - 1)
    return { kind: dashes === line.length - 2 ? "command" : "file", words: [] };
  // In bash, `--option=value` comes as three words.
  const words = (line.at(-1) === "=" ? [...line, ""] : line).filter((word) => word !== "=");
  const [, joined] = /^(--[^=]+)=/u.exec(words.at(-1) ?? "") ?? [];
  const previous = joined ?? words.at(-2) ?? "";
  const { spec } = commandIn(acp, words.slice(0, -1));
  const options = Object.entries(spec.options);
  const [, option] = options.find(([name, { short }]) => previous === `--${name}` || previous === `-${short}`) ?? [];
  if (option?.value !== undefined) return ofPlace(option.choices ?? option.completes, acp, env);
  if (words.at(-1)?.startsWith("-") === true)
    return { kind: "words", words: options.map(([name, { help }]) => [`--${name}`, help.split("\n")[0]]) };
  const own = await ofPlace(spec.completes, acp, env);
  return { ...own, words: [...commandsOf(spec), ...own.words] };
}

function commandsOf({ name: parent, commands = [] }: CommandSpec): Offers["words"] {
  return commands.map(({ name, summary }) => [name.slice(parent.length).trim(), summary]);
}

async function ofPlace(
  place: CommandSpec["completes"] | "directory" | readonly string[],
  acp: CommandSpec,
  env: Environment,
): Promise<Offers> {
  if (place === "file" || place === "directory") return { kind: place, words: [] };
  if (place === "command") return { kind: "words", words: commandsOf(acp) };
  const words = typeof place === "object" ? place : await namesOf(place, env);
  return { kind: "words", words: words.map((word) => [word]) };
}

/** The names that can be listed at once: without asking a server. */
async function namesOf(place: "agent" | "session" | undefined, env: Environment): Promise<readonly string[]> {
  const cwd = process.cwd();
  if (place === "agent") return (await import("../agents/list-agents.ts")).listNames({ cwd, registry: undefined }, env);
  if (place === undefined) return [];
  const [{ SessionStore }, { realpathSync }] = await Promise.all([
    import("../sessions/session-store.ts"),
    import("node:fs"),
  ]);
  const here = realpathSync(cwd);
  return new SessionStore(env).list().flatMap((session) => (session.cwd === here ? [session.name] : []));
}

import { UsageError } from "../../base/errors.ts";
import type { Awaitable } from "../../rpc/methods.ts";

interface AnyBlock {
  readonly type: unknown;
}

/** A command in a prompt: `/name input`. */
export interface SlashCommand<Block> {
  /** Without the slash. */
  readonly name: string;
  /** The text after the name, of all text blocks together, trimmed. */
  readonly input: string;
  /** The other blocks of the prompt, which may belong to it (CMD-03). */
  readonly blocks: readonly Block[];
}

/** A command that users can run. */
export interface CommandDefinition<Context, Result, Block> {
  /** What it does. */
  readonly description: string;
  /** A placeholder for its input. Without one, clients assume that it takes no input. */
  readonly hint?: string | undefined;
  /** Runs the command. `input` is the text after its name. */
  run(input: string, context: Context, command: SlashCommand<Block>): Awaitable<Result>;
}

/** The outcome of a prompt: `kind` narrows it. */
export type CommandRun<Name extends string, Result, Block> =
  /** It was one of the commands; `result` is what its `run` returned. */
  | { readonly kind: "command"; readonly name: Name; readonly result: Result }
  /** It looks like a command, but there is none of this name. Nothing was run. */
  | { readonly kind: "unknown"; readonly command: SlashCommand<Block> }
  /** It is no command. */
  | { readonly kind: "text" };

/** The commands of an agent. */
export interface Commands<Name extends string, Context, Run, Block, Available> {
  /**
   * The list as the protocol has it (CMD-02). In version 2 the answers that open a session can carry it:
   * `availableCommands: [...commands.available]`.
   */
  readonly available: readonly Available[];
  /**
   * Sends the list to the client, or only those in `names` (CMD-01). Call it at any time: each list replaces the one before.
   * Called in a handler of `session/new`, the list follows the answer.
   */
  announce(session: AnnounceTarget<Available>, names?: readonly Name[]): Promise<void>;
  /** Runs the command that a prompt begins with. `context` is passed to its `run`: the turn, unless that asks for more. */
  run(prompt: readonly Block[], context: Context): Promise<Run>;
}

interface AnnounceTarget<Available> {
  update(update: { sessionUpdate: "available_commands_update"; availableCommands: Available[] }): Promise<void>;
}

/** A slash and a name that is no path, at the very beginning. */
const pattern = /^\s*\/([^\s/]+)(?:\s([\s\S]*))?$/u;

/** The command that a prompt begins with; `undefined` if it is ordinary text (CMD-03). */
export function parseCommand<Block extends AnyBlock>(prompt: readonly Block[]): SlashCommand<Block> | undefined {
  const texts = prompt.flatMap((block) => (isText(block) ? [block.text] : []));
  const [, name, rest = ""] = pattern.exec(texts[0] ?? "") ?? [];
  if (name === undefined) return undefined;
  const input = [rest, ...texts.slice(1)].join("").trim();
  return { name, input, blocks: prompt.filter((block) => !isText(block)) };
}

function isText(block: AnyBlock): block is { readonly type: "text"; readonly text: string } {
  return block.type === "text";
}

/** What {@link defineCommands} of each version does. */
export function defineCommands<
  Name extends string,
  Context,
  Result,
  Block extends AnyBlock,
  Available extends { readonly name: string },
>(
  definitions: { readonly [K in Name]: CommandDefinition<Context, Result, Block> },
  toAvailable: (command: { name: string; description: string; input?: { hint: string } }) => Available,
): Commands<Name, Context, CommandRun<Name, Result, Block>, Block, Available> {
  const entries = Object.entries(definitions) as [Name, CommandDefinition<Context, Result, Block>][];
  for (const [name, { run }] of entries) {
    if (pattern.exec(`/${name}`)?.[1] !== name) throw new UsageError(`'${name}' is no name for a slash command`);
    if (typeof run !== "function") throw new UsageError(`The slash command '${name}' has no run`);
  }
  const available = entries.map(([name, { description, hint }]) =>
    toAvailable({ name, description, ...(hint == null ? {} : { input: { hint } }) }),
  );
  return {
    available,
    announce: (session, names: readonly string[] = available.map(({ name }) => name)) =>
      session.update({
        sessionUpdate: "available_commands_update",
        availableCommands: available.filter(({ name }) => names.includes(name)),
      }),
    run: async (prompt, context) => {
      const command = parseCommand(prompt);
      if (command === undefined) return { kind: "text" };
      const found = entries.find(([name]) => name === command.name);
      if (found === undefined) return { kind: "unknown", command };
      const [name, definition] = found;
      return { kind: "command", name, result: await definition.run(command.input, context, command) };
    },
  };
}

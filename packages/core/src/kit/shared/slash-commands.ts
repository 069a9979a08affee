import { UsageError } from "../../base/errors.ts";
import type { Awaitable } from "../../rpc/methods.ts";
import { requireArgument, requireObject } from "../../base/require-argument.ts";
import { requireTarget } from "./any-session.ts";

interface AnyBlock {
  readonly type: unknown;
}

/** A command in a prompt: `/name input`. */
export interface SlashCommand<Block> {
  /** The name, without the slash. */
  readonly name: string;
  /** The text after the name, from all text blocks, trimmed. */
  readonly input: string;
  /** The other blocks of the prompt, which may belong to the command (CMD-03). */
  readonly blocks: readonly Block[];
}

/** A command that users can run. */
export interface CommandDefinition<Context, Result, Block> {
  /** What the command does. */
  readonly description: string;
  /** A placeholder for the command's input. Without it, clients assume that the command takes no input. */
  readonly hint?: string | undefined;
  /** Runs the command. `input` is the text after its name. */
  run(input: string, context: Context, command: SlashCommand<Block>): Awaitable<Result>;
}

/** The outcome of a prompt. Check `kind` to narrow it. */
export type CommandRun<Name extends string, Result, Block> =
  /** The prompt was one of the commands. `result` is what its `run` returned. */
  | { readonly kind: "command"; readonly name: Name; readonly result: Result }
  /** The prompt looks like a command, but there is none with this name. Nothing was run. */
  | { readonly kind: "unknown"; readonly command: SlashCommand<Block> }
  /** The prompt is not a command. */
  | { readonly kind: "text" };

/** The commands of an agent. */
export interface Commands<Name extends string, Context, Run, Block, Available> {
  /**
   * The list in the protocol's types (CMD-02). In version 2, the responses that open a session can contain it:
   * `availableCommands: [...commands.available]`.
   */
  readonly available: readonly Available[];
  /**
   * Sends the list to the client, or only the commands in `names` (CMD-01). You can call it at any time: each list
   * replaces the previous one. In a handler of `session/new`, the list is sent after the response.
   */
  announce(session: AnnounceTarget<Available>, names?: readonly Name[]): Promise<void>;
  /**
   * Runs the command that a prompt begins with. `context` is passed to its `run`: the turn, unless `run` declares
   * another type.
   */
  run(prompt: readonly Block[], context: Context): Promise<Run>;
}

interface AnnounceTarget<Available> {
  update(update: { sessionUpdate: "available_commands_update"; availableCommands: Available[] }): Promise<void>;
}

/** A slash and a name that is no path, at the very beginning. */
const pattern = /^\s*\/([^\s/]+)(?:\s([\s\S]*))?$/u;

/** Returns the command that a prompt begins with; `undefined` if it is ordinary text (CMD-03). */
export function parseCommand<Block extends AnyBlock>(prompt: readonly Block[]): SlashCommand<Block> | undefined {
  requireArgument(Array.isArray(prompt), "parseCommand() takes the content blocks of a prompt", prompt);
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
  requireObject(definitions, "defineCommands() takes an object of commands");
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
    announce: (session, names: readonly string[] = available.map(({ name }) => name)) => {
      requireTarget(session, "announce", "update");
      return session.update({
        sessionUpdate: "available_commands_update",
        availableCommands: available.filter(({ name }) => names.includes(name)),
      });
    },
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

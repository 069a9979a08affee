import { UsageError } from "../../base/errors.ts";
import type { Awaitable } from "../../rpc/methods.ts";

// What commands are in each version of the protocol, with its blocks of content and its form of a command.

/** A command as it stands in a prompt. */
interface Found<Block> {
  readonly name: string;
  readonly input: string;
  readonly blocks: readonly Block[];
}

interface Definition<Context, Result, Block> {
  readonly description: string;
  readonly hint?: string | undefined;
  run(input: string, context: Context, command: Found<Block>): Awaitable<Result>;
}

type Run<Name, Result, Block> =
  | { readonly kind: "command"; readonly name: Name; readonly result: Result }
  | { readonly kind: "unknown"; readonly command: Found<Block> }
  | { readonly kind: "text" };

interface CommandsOf<Name, Result, Block, Available> {
  readonly available: readonly Available[];
  announce(
    session: {
      update(update: { sessionUpdate: "available_commands_update"; availableCommands: Available[] }): Promise<void>;
    },
    names?: readonly Name[],
  ): Promise<void>;
  run(prompt: readonly Block[], context: unknown): Promise<Run<Name, Result, Block>>;
}

/** A slash and a name that is no path, at the very beginning. */
const pattern = /^\s*\/([^\s/]+)(?:\s([\s\S]*))?$/u;

/** The command that a prompt begins with; `undefined` if it is ordinary text (CMD-03). */
export function commandIn<Block extends { readonly type: unknown }>(
  prompt: readonly Block[],
): Found<Block> | undefined {
  const texts = prompt.flatMap((block) => (isText(block) ? [block.text] : []));
  const [, name, rest = ""] = pattern.exec(texts[0] ?? "") ?? [];
  if (name === undefined) return undefined;
  const input = [rest, ...texts.slice(1)].join("").trim();
  return { name, input, blocks: prompt.filter((block) => !isText(block)) };
}

function isText(block: { readonly type: unknown }): block is { readonly type: "text"; readonly text: string } {
  return block.type === "text";
}

/**
 * Commands that are announced and run.
 *
 * @throws {UsageError} if a name is empty or has a space or a slash in it, or a command has no `run`.
 */
export function commandsOf<
  Name extends string,
  Context,
  Result,
  Block extends { readonly type: unknown },
  Available extends { readonly name: string },
>(
  definitions: { readonly [K in Name]: Definition<Context, Result, Block> },
  toAvailable: (command: { name: string; description: string; input?: { hint: string } }) => Available,
): CommandsOf<Name, Result, Block, Available> {
  const entries = Object.entries(definitions) as [Name, Definition<Context, Result, Block>][];
  const wrong = entries.find(([name]) => pattern.exec(`/${name}`)?.[1] !== name);
  if (wrong !== undefined) throw new UsageError(`'${wrong[0]}' is no name for a slash command`);
  const idle = entries.find(([, definition]) => typeof definition.run !== "function");
  if (idle !== undefined) throw new UsageError(`The slash command '${idle[0]}' has no run`);
  const list = entries.map(([name, { description, hint }]) =>
    toAvailable({ name, description, ...(hint == null ? {} : { input: { hint } }) }),
  );
  return {
    available: list,
    announce: (session, names) =>
      session.update({
        sessionUpdate: "available_commands_update",
        availableCommands: names === undefined ? list : list.filter(({ name }) => names.includes(name as Name)),
      }),
    run: async (prompt, context) => {
      const command = commandIn(prompt);
      if (command === undefined) return { kind: "text" };
      const found = entries.find(([name]) => name === command.name);
      if (found === undefined) return { kind: "unknown", command };
      const [name, definition] = found;
      // Every turn is one, whatever the updates that its session takes beside those of a stable one.
      return { kind: "command", name, result: await definition.run(command.input, context as Context, command) };
    },
  };
}

import type { AvailableCommand } from "@acp/schema/v2/types";
import type { Received } from "@acp/schema/v2/unstable/types";
import type { AgentTurn } from "../../v2/agent-turn.ts";
import * as shared from "../shared/slash-commands.ts";
import type { AnyTurn } from "./any-session.ts";

// An agent that speaks the unstable part as well passes on what it received.
type Block = Received.ContentBlock;

/** A command in a prompt: `/name input`. */
export interface SlashCommand extends shared.SlashCommand<Block> {}

/** A command that users can run. */
export interface CommandDefinition<Context, Result> extends shared.CommandDefinition<Context, Result, Block> {}

/** The outcome of a prompt. Check `kind` to narrow it. */
export type CommandRun<Name extends string, Result> = shared.CommandRun<Name, Result, Block>;

/** The commands of an agent. */
export interface Commands<Name extends string = string, Context = AgentTurn, Result = unknown> extends shared.Commands<
  Name,
  Context | (AgentTurn extends Context ? AnyTurn : never),
  CommandRun<Name, Result>,
  Block,
  AvailableCommand
> {}

/** Returns the command that a prompt begins with; `undefined` if it is ordinary text. */
export const parseCommand: (prompt: readonly Block[]) => SlashCommand | undefined = shared.parseCommand;

/**
 * Declares slash commands, so that you can announce and run them.
 *
 * ```ts
 * const commands = defineCommands({
 *   search: { description: "Search the project", hint: "text", run: (input, turn) => search(turn, input) },
 * });
 * const run = await commands.run(prompt, turn);
 * if (run.kind === "unknown") await turn.message(`There is no /${run.command.name}.`);
 * ```
 *
 * The second parameter of `run` is the turn, unless it declares another type.
 *
 * @throws {UsageError} a name is empty or has a space or a slash in it, or a command has no `run`.
 */
export function defineCommands<Name extends string, Context = AgentTurn, Result = unknown>(definitions: {
  readonly [K in Name]: CommandDefinition<Context, Result>;
}): Commands<Name, Context, Result> {
  return shared.defineCommands(definitions, ({ input, ...command }): AvailableCommand => ({
    type: "command",
    ...command,
    ...(input && { input: { type: "text", ...input } }),
  }));
}

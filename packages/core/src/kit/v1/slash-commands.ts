import type { AvailableCommand, Received } from "@acp/schema/v1/types";
import type { Awaitable } from "../../rpc/methods.ts";
import type { AgentTurn } from "../../v1/agent-turn.ts";
import type { AnySession, AnyTurn } from "./any-session.ts";
import { commandIn, commandsOf } from "./commands-of.ts";

/** A command as it stands in a prompt: `/name input`. */
export interface SlashCommand {
  /** Without the slash. */
  readonly name: string;
  /** The text behind the name, of all text blocks together, without spaces around it. */
  readonly input: string;
  /** The other blocks of the prompt, which may go with it (CMD-03). */
  readonly blocks: readonly Received.ContentBlock[];
}

/** A command that users can run. */
export interface CommandDefinition<Context, Result> {
  /** What it does. */
  readonly description: string;
  /** What to show in place of its input while that is empty. Without a hint, clients are told that it takes no input. */
  readonly hint?: string | undefined;
  /** Runs the command. `input` is the text behind its name. */
  run(input: string, context: Context, command: SlashCommand): Awaitable<Result>;
}

/** What came of a prompt: `kind` narrows it. */
export type CommandRun<Name extends string, Result> =
  /** It was one of the commands; `result` is what its `run` returned. */
  | { readonly kind: "command"; readonly name: Name; readonly result: Result }
  /** It looks like a command, but there is none of this name. Nothing was run. */
  | { readonly kind: "unknown"; readonly command: SlashCommand }
  /** It is no command. */
  | { readonly kind: "text" };

/** The commands of an agent. */
export interface Commands<Name extends string = string, Context = AgentTurn, Result = unknown> {
  /** As the protocol lists them (CMD-02). */
  readonly available: readonly AvailableCommand[];
  /**
   * Tells the client which commands there are (CMD-01). `names`: all by default. Can be called at any time: each list
   * replaces the one before. Called in a handler of `session/new`, the list is sent right behind the answer.
   */
  announce(session: Pick<AnySession, "update">, names?: readonly Name[]): Promise<void>;
  /** Runs the command that a prompt begins with. `context` is handed to its `run`: the turn, unless that asks for more. */
  run(
    prompt: readonly Received.ContentBlock[],
    context: Context | (AgentTurn extends Context ? AnyTurn : never),
  ): Promise<CommandRun<Name, Result>>;
}

/** The command that a prompt begins with; `undefined` if it is ordinary text (CMD-03). */
export const parseCommand: (prompt: readonly Received.ContentBlock[]) => SlashCommand | undefined = commandIn;

/**
 * Declares slash commands, to be announced and run.
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
 * @throws {UsageError} if a name is empty or has a space or a slash in it, or a command has no `run`.
 */
export function defineCommands<Name extends string, Context = AgentTurn, Result = unknown>(definitions: {
  readonly [K in Name]: CommandDefinition<Context, Result>;
}): Commands<Name, Context, Result> {
  return commandsOf(definitions, (command): AvailableCommand => command);
}

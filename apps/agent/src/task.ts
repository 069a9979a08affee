import type { CommandResult, FormAnswer, FormSchema, UrlAnswer } from "@acp/core/agent";
import type { ContentBlock, PermissionOption, ToolCallLocation, ToolKind } from "@acp/schema/v1";

import type { Conversation } from "./conversation/conversation.ts";
import type { ModeId } from "./modes.ts";
import { inPieces } from "./pace.ts";
import type { CommandLine } from "./tools/command-line.ts";

/**
 * What an instruction works with: a turn of a session, in words that do not depend on the version of the protocol.
 * `v1/task.ts` and `v2/task.ts` say what they come to on the wire.
 */
export interface Task {
  readonly session: TaskSession;
  /** Aborts when the turn is cancelled. */
  readonly signal: AbortSignal;
  /** Speaks to the user, a few words at a time. */
  say(text: string): Promise<void>;
  /** The reasoning behind it, in the same way. */
  think(text: string): Promise<void>;
  /** Shows a plan, and later how far it has got. */
  plan(steps: readonly string[]): Promise<{ next(): Promise<void> }>;
  /** Reports a tool call. */
  toolCall(call: NewToolCall): Promise<ToolCall>;
  /** Reads a text file, as the user sees it where the client can tell that. */
  readText(path: string): Promise<string>;
  /** Writes a text file. Not cancelled half-way: once it is begun, it is done. */
  writeText(path: string, text: string): Promise<void>;
  /** Runs a command where the user sees it. Rejects with a `RequestError` if it could not be started; its call says why. */
  runCommand(command: CommandLine): Promise<CommandResult>;
  /** Changes whether files are changed without a question. */
  setMode(mode: ModeId): Promise<void>;
  /** Has the user fill in a form. */
  askForm(message: string, schema: FormSchema): Promise<FormAnswer<FormSchema>>;
  /** Asks the user to open a page. */
  askUrl(message: string, url: string): Promise<UrlAnswer>;
}

/** The session of a task: the toolkit's sessions of both versions are such. */
export interface TaskSession {
  readonly id: string;
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  /** Aborts when the session ends. */
  readonly signal: AbortSignal;
  readonly state: Conversation;
}

/** A tool call to report. */
export interface NewToolCall {
  readonly title: string;
  readonly name: string;
  readonly kind: ToolKind;
  /** Default: it is in progress. */
  readonly status?: "pending";
  readonly locations?: ToolCallLocation[];
  readonly rawInput?: unknown;
  /** The change of a file that it would make, shown as a diff. */
  readonly edit?: Edit;
}

/** A new text for a file. */
export interface Edit {
  readonly path: string;
  /** What the edit was made from; `undefined` for a file that does not exist yet. */
  readonly oldText: string | undefined;
  readonly newText: string;
  /** Where the change is, from 1. */
  readonly line?: number;
}

/** A tool call that was reported. */
export interface ToolCall {
  update(change: ToolCallChange): Promise<void>;
  complete(output?: string): Promise<void>;
  fail(reason?: string): Promise<void>;
  /** It was not done, for this reason: the user has said no, or has cancelled the turn. */
  giveUp(reason: string): Promise<void>;
  /** Asks the user whether it may be done. `option` is what was chosen, if anything was. */
  askPermission(
    options: readonly PermissionOption[],
  ): Promise<{ readonly allowed: boolean; readonly option?: { readonly kind: string } | undefined }>;
}

/** What is new about a tool call. Content takes the place of what was shown. */
export interface ToolCallChange {
  readonly status?: "in_progress" | "completed" | "failed";
  readonly content?: string | ContentBlock[];
  readonly locations?: ToolCallLocation[];
  readonly rawOutput?: unknown;
}

/** What the turns of both versions can do with text. */
interface Speaker {
  readonly signal: AbortSignal;
  message(text: AsyncIterable<string>): Promise<void>;
  thought(text: AsyncIterable<string>): Promise<void>;
}

/** The voice of a task. `pace` is the time between two pieces of text, in milliseconds. */
export function createVoice(turn: Speaker, pace: number): Pick<Task, "say" | "think"> {
  return {
    say: (text) => turn.message(inPieces(text, pace, turn.signal)),
    think: (text) => turn.thought(inPieces(text, pace, turn.signal)),
  };
}

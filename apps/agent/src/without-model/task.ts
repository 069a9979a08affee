import type { CommandResult, FormAnswer, FormSchema, UrlAnswer } from "@acp/core/agent";
import type { ContentBlock, PermissionOption, ToolCallLocation, ToolKind } from "@acp/schema/v1";

import type { Conversation } from "./conversation/conversation.ts";
import type { ModeId } from "./modes.ts";
import { streamText } from "./stream-text.ts";
import type { CommandLine } from "../workspace/command-line.ts";

/**
 * A turn, independent of the protocol version: everything that an instruction may do. `v1/task.ts` and `v2/task.ts`
 * implement it with the messages of their version.
 */
export interface Task {
  readonly session: TaskSession;
  /** Aborts when the turn is cancelled. */
  readonly signal: AbortSignal;
  /** Streams a message to the user. */
  say(text: string): Promise<void>;
  /** Streams a thought: the reasoning that leads to a message. */
  think(text: string): Promise<void>;
  /** Shows a plan. Each call of `next` starts its next step; the call after the last step completes the plan. */
  plan(steps: readonly string[]): Promise<{ next(): Promise<void> }>;
  /** Shows a tool call. It is in progress unless `status` says otherwise. */
  toolCall(call: NewToolCall): Promise<ToolCall>;
  /** Reads a text file, with the user's unsaved changes if the client provides them. */
  readText(path: string): Promise<string>;
  /** Writes a text file. Cancelling the turn does not interrupt it, so that no file is left half written. */
  writeText(path: string, text: string): Promise<void>;
  /**
   * Runs a command as a tool call that shows its output.
   *
   * @throws {RequestError} if the command cannot be started. The tool call shows the reason.
   */
  runCommand(command: CommandLine): Promise<CommandResult>;
  /** Switches the mode of the session, which decides whether edits need permission. */
  setMode(mode: ModeId): Promise<void>;
  /** Asks the user to fill in a form. */
  askForm(message: string, schema: FormSchema): Promise<FormAnswer<FormSchema>>;
  /** Asks the user to open a page. */
  askUrl(message: string, url: string): Promise<UrlAnswer>;
}

/** What a task uses of its session. The `AgentSession` of either version fits. */
export interface TaskSession {
  readonly id: string;
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  /** Aborts when the session ends. */
  readonly signal: AbortSignal;
  readonly state: Conversation;
}

/** A tool call to show. */
export interface NewToolCall {
  readonly title: string;
  readonly name: string;
  readonly kind: ToolKind;
  /** `pending` until the user permits it. Default: in progress. */
  readonly status?: "pending";
  readonly locations?: ToolCallLocation[];
  readonly rawInput?: unknown;
  /** The edit that the call proposes, shown as a diff. */
  readonly edit?: Edit;
}

/** A change of a file. */
export interface Edit {
  readonly path: string;
  /** The text before the edit; `undefined` if the file does not exist yet. */
  readonly oldText: string | undefined;
  readonly newText: string;
  /** The line of the change, counted from 1. */
  readonly line?: number;
}

/** A tool call that the client shows. */
export interface ToolCall {
  update(change: ToolCallChange): Promise<void>;
  complete(output?: string): Promise<void>;
  fail(reason?: string): Promise<void>;
  /** Reports that the call was not carried out, because the user rejected it or cancelled the turn. */
  cancel(reason: string): Promise<void>;
  /** Asks the user for permission. `option` is the one that the user chose, if any. */
  askPermission(
    options: readonly PermissionOption[],
  ): Promise<{ readonly allowed: boolean; readonly option?: { readonly kind: string } | undefined }>;
}

/** An update of a tool call. New content replaces the content before. */
export interface ToolCallChange {
  readonly status?: "in_progress" | "completed" | "failed";
  readonly content?: string | ContentBlock[];
  readonly locations?: ToolCallLocation[];
  readonly rawOutput?: unknown;
}

/** What a task needs of a turn to send text. The `AgentTurn` of either version fits. */
interface TextTurn {
  readonly signal: AbortSignal;
  message(text: AsyncIterable<string>): Promise<void>;
  thought(text: AsyncIterable<string>): Promise<void>;
}

/** Creates the part of a task that sends text. `pace` is the time between two chunks, in milliseconds. */
export function createTextOutput(turn: TextTurn, pace: number): Pick<Task, "say" | "think"> {
  return {
    say: (text) => turn.message(streamText(text, pace, turn.signal)),
    think: (text) => turn.thought(streamText(text, pace, turn.signal)),
  };
}

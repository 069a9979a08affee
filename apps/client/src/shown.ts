// What a session shows, and what is told of it: the words of the transcript, whatever the version of the protocol.
import type { Received } from "@acp/schema/v2";

import type { DiffLine } from "./transcript/diff-lines.ts";

/** Content as clients of both versions read it; version 2 has kinds of it that are not known. */
export type ContentBlock = Received.ContentBlock;

/** Whose words they are. */
export type Speaker = "user" | "agent" | "thought";

/** Something that the agent has told, and that the user should see. */
export type Report =
  /** A piece of a message, or all of one: then it takes the place of what was said in it before. */
  | {
      readonly kind: "message";
      readonly speaker: Speaker;
      readonly messageId: string | null | undefined;
      readonly content: readonly ContentBlock[];
      readonly isWhole?: boolean;
    }
  /** A tool call is new, or has changed. */
  | { readonly kind: "call"; readonly toolCallId: string }
  /** A command of the agent's own has begun, printed something, or ended. */
  | TerminalReport
  /** The plan has changed. */
  | { readonly kind: "plan" }
  /** There are other slash commands. */
  | { readonly kind: "commands" }
  | { readonly kind: "mode"; readonly mode: string }
  | { readonly kind: "notice"; readonly title: string; readonly description?: string | null | undefined }
  | { readonly kind: "compaction"; readonly status: string };

export interface TerminalReport {
  readonly kind: "terminal";
  readonly terminalId: string;
  readonly command?: string | null | undefined;
  readonly output?: Uint8Array;
  /** The output is all that there is so far, and not only what is new. */
  readonly isWhole?: boolean;
  readonly exit?: TerminalExit | undefined;
}

/** How a command has ended. */
export interface TerminalExit {
  readonly exitCode?: number | null;
  /** The signal that has ended it. */
  readonly signal?: string | null;
}

/** A session as it is now. */
export interface ShownSession {
  /** The turns so far: another object whenever something has become of one. */
  readonly turns: { readonly length: number };
  readonly plan: readonly PlanEntry[];
  readonly commands: readonly Command[];
  readonly usage: Usage | undefined;
  /** A tool call; the same object until something is told of it. */
  call(toolCallId: string): ShownCall | undefined;
  /** Calls `listener` behind everything that happens in the session. */
  subscribe(listener: () => void): void;
}

/** A tool call. */
export interface ShownCall {
  readonly title: string;
  readonly kind: string;
  /** How it stands: it goes on unless it is `completed`, `failed` or `cancelled`. */
  readonly status: string;
  readonly locations: readonly { readonly path: string; readonly line?: number | null }[];
  readonly content: readonly ShownContent[];
  /** What came out, as the agent has sent it; {@link output} reads it. */
  readonly rawOutput?: unknown;
  /** The commands of its arguments. */
  readonly commands: readonly string[];
  /** What came out, where the content does not show it. `hasTerminal` says which terminals have something to show. */
  output(hasTerminal: (terminalId: string) => boolean): ShownOutput;
}

/** What came out of a tool call beside its content. */
export interface ShownOutput {
  readonly text?: string | undefined;
  readonly exit?: TerminalExit | undefined;
}

/** One thing in a tool call. */
export type ShownContent =
  | { readonly kind: "content"; readonly content: ContentBlock }
  | { readonly kind: "terminal"; readonly terminalId: string }
  | ({ readonly kind: "diff" } & ShownDiff);

/** A change of a file. */
export interface ShownDiff {
  readonly path: string;
  readonly isNew: boolean;
  /** What tells it apart from other changes of the call. */
  readonly key: string;
  /** Its lines, at least one; made when they are asked for. */
  lines(): readonly DiffLine[];
}

export interface PlanEntry {
  readonly content: string;
  readonly status: string;
}

/** A slash command. */
export interface Command {
  readonly name: string;
  readonly takesInput: boolean;
}

/** How full the context is, and what it has cost. */
export interface Usage {
  readonly used: number;
  readonly size: number;
  readonly cost?: { readonly amount: number; readonly currency: string } | null;
}

// What the transcript shows of a session, and the reports that update it, in every version of the protocol.
import type { Received } from "@acp/schema/v2";

import type { DiffLine } from "../text/diff-lines.ts";

/** Content in either version; version 2 also has unknown kinds. */
export type ContentBlock = Received.ContentBlock;

/** Who wrote a message. */
export type Speaker = "user" | "agent" | "thought";

/** A report of the agent that the user should see. */
export type Report =
  /** A chunk of a message, or the whole message, which replaces its earlier text. */
  | {
      readonly kind: "message";
      readonly speaker: Speaker;
      readonly messageId: string | null | undefined;
      readonly content: readonly ContentBlock[];
      readonly isWhole?: boolean;
    }
  /** A tool call was created or changed. */
  | { readonly kind: "call"; readonly toolCallId: string }
  /** A command that the agent runs itself started, printed something, or ended. */
  | TerminalReport
  /** The plan changed. */
  | { readonly kind: "plan" }
  /** The slash commands changed. */
  | { readonly kind: "commands" }
  | { readonly kind: "mode"; readonly mode: string }
  | { readonly kind: "notice"; readonly title: string; readonly description?: string | null | undefined }
  | { readonly kind: "compaction"; readonly status: string };

export interface TerminalReport {
  readonly kind: "terminal";
  readonly terminalId: string;
  readonly command?: string | null | undefined;
  readonly output?: Uint8Array;
  /** Whether the output is everything so far, and not only what is new. */
  readonly isWhole?: boolean;
  readonly exit?: TerminalExit | undefined;
}

/** How a command ended. */
export interface TerminalExit {
  readonly exitCode?: number | null;
  /** The signal that ended it. */
  readonly signal?: string | null;
}

/** The current state of a session. */
export interface ShownSession {
  /** The turns so far: a new object whenever a turn changes. */
  readonly turns: { readonly length: number };
  readonly plan: readonly PlanEntry[];
  readonly commands: readonly Command[];
  readonly usage: Usage | undefined;
  /** Finds a tool call; the same object until it changes. */
  call(toolCallId: string): ShownCall | undefined;
  /** Calls `listener` after every change of the session. */
  subscribe(listener: () => void): void;
}

/** A tool call. */
export interface ShownCall {
  readonly title: string;
  readonly kind: string;
  /** The status: it runs unless this is `completed`, `failed` or `cancelled`. */
  readonly status: string;
  readonly locations: readonly { readonly path: string; readonly line?: number | null }[];
  readonly content: readonly ShownContent[];
  /** The output as the agent sent it; {@link output} reads it. */
  readonly rawOutput?: unknown;
  /** The commands in its arguments. */
  readonly commands: readonly string[];
  /** What came out, where the content does not show it. `hasTerminal` says which terminals have something to show. */
  output(hasTerminal: (terminalId: string) => boolean): ShownOutput;
}

/** The output of a tool call in addition to its content. */
export interface ShownOutput {
  readonly text?: string | undefined;
  readonly exit?: TerminalExit | undefined;
}

/** One item of a tool call's content. */
export type ShownContent =
  | { readonly kind: "content"; readonly content: ContentBlock }
  | { readonly kind: "terminal"; readonly terminalId: string }
  | ({ readonly kind: "diff" } & ShownDiff);

/** A change of a file. */
export interface ShownDiff {
  readonly path: string;
  readonly isNew: boolean;
  /** Distinguishes it from other changes of the call. */
  readonly key: string;
  /** Its lines, at least one; computed on demand. */
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

/** The size of the context, and the cost so far. */
export interface Usage {
  readonly used: number;
  readonly size: number;
  readonly cost?: { readonly amount: number; readonly currency: string } | null;
}

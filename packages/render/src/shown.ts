// What the transcript shows of a session, and the reports that update it, in every version of the protocol.
import type { Received } from "@acp/schema/v2";

import type { DiffLine } from "./diff/diff-lines.ts";
import type { DiffPlace } from "./diff/diff-place.ts";

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
  | { readonly kind: "plan" }
  /** The slash commands changed. */
  | { readonly kind: "commands" }
  | { readonly kind: "mode"; readonly mode: string }
  | { readonly kind: "notice"; readonly title: string; readonly description?: string | null | undefined }
  | { readonly kind: "compaction"; readonly status: string };

/** A command that the agent runs itself started, printed something, or ended. */
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
  readonly signal?: string | null;
}

/** The current state of a session. */
export interface ShownSession {
  /** The turns so far: a new object whenever a turn changes. */
  readonly turns: { readonly length: number };
  /** Everything that was said and done, in order. An item stays where it first appeared. */
  readonly timeline: ShownTimeline;
  /** Whether the agent works, after a prompt or by itself. */
  readonly isBusy: boolean;
  /** The plan; the same list until it changes. */
  readonly plan: readonly PlanEntry[];
  /** The slash commands; the same list until they change. */
  readonly commands: readonly Command[];
  /** The mode and all other options; the same list until one changes. */
  readonly options: readonly SessionOption[];
  readonly usage: Usage | undefined;
  readonly title: string | undefined;
  /** Finds a tool call; the same object until it changes. */
  call(toolCallId: string): ShownCall | undefined;
  /** Calls `listener` after every change of the session. Returns a function that unsubscribes it. */
  subscribe(listener: () => void): () => void;
}

/** The items of a session: each is the same object until it changes. */
export interface ShownTimeline {
  readonly length: number;
  at(index: number): ShownItem | undefined;
}

/** What stands in the transcript at one place. */
export type ShownItem =
  | {
      readonly kind: "message";
      readonly speaker: Speaker;
      /** What it consists of. Often it only grows, but an agent can replace it. */
      readonly messageId?: string | null | undefined;
      readonly chunks: ShownChunks;
    }
  | { readonly kind: "call"; readonly toolCallId: string; readonly call: ShownCall }
  | { readonly kind: "plan"; readonly entries: readonly PlanEntry[] }
  | {
      readonly kind: "notice";
      readonly severity: string;
      readonly title: string;
      readonly description: string | undefined;
    }
  | { readonly kind: "compaction"; readonly status: string; readonly error: string | undefined }
  /** An update that this program does not know. */
  | { readonly kind: "unknown" };

/** A list that never changes: a longer message has another one. */
export interface ShownChunks {
  readonly length: number;
  at(index: number): ContentBlock | undefined;
  slice(start?: number): readonly ContentBlock[];
}

/** A tool call, as far as it is shown. */
export interface ShownCall {
  readonly title: string;
  readonly kind: string;
  /** The status: it runs unless this is `completed`, `failed` or `cancelled`. */
  readonly status: string;
  readonly locations: readonly { readonly path: string; readonly line?: number | null }[];
  readonly content: readonly ShownContent[];
  /** The arguments as the agent sent them. */
  readonly rawInput?: unknown;
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
  /** Whether the tool says that it has failed. */
  readonly hasFailed?: boolean;
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
  /** Where it is in its file, if that is known: an agent may send only a part of the file. */
  place?(): DiffPlace | undefined;
  /** Its lines, at least one; computed on demand. */
  lines(): readonly DiffLine[];
}

/** An entry of a plan: `status` is `pending`, `in_progress`, `completed`, `cancelled` or unknown. */
export interface PlanEntry {
  readonly content: string;
  readonly status: string;
}

/** A slash command. */
export interface Command {
  readonly name: string;
  readonly takesInput: boolean;
  readonly description?: string | undefined;
  /** What to type behind it. */
  readonly hint?: string | undefined;
}

/** An option of the session: version 1 calls one of them the mode. */
export interface SessionOption {
  /** `undefined` for the modes of version 1. */
  readonly id: string | undefined;
  readonly name: string;
  readonly description?: string | undefined;
  /** `mode`, `model`, `thought_level` or anything else. */
  readonly category: string | undefined;
  readonly value: string | boolean;
  /** The values to choose from; empty for a switch, which is on or off. */
  readonly choices: readonly Choice[];
}

/** A value of an option. */
export interface Choice {
  readonly value: string;
  readonly name: string;
  readonly description?: string | undefined;
  /** The heading above it, if the choices stand in groups. */
  readonly group?: string | undefined;
}

/** The size of the context, and the cost so far. */
export interface Usage {
  readonly used: number;
  readonly size: number;
  readonly cost?: { readonly amount: number; readonly currency: string } | null;
}

import type * as v1 from "@acp/core/agent";
import type * as v2 from "@acp/core/v2/agent";
import type { ContentBlock, Cost, ToolCallContent, ToolKind } from "@acp/schema/v1/types";
import type { ToolCallContent as ToolCallContent2 } from "@acp/schema/v2/types";
import { readMember, requireObject } from "@acp/core/internal";

/** A turn of an agent, of version 1 or 2 of the protocol: the `turn` in the context of a prompt handler. */
export type AnyTurn = v1.AnyTurn | v2.AnyTurn;

/** A tool call that the client knows, of the turn's version: what `turn.toolCall` resolves with. */
export type CallOf<Turn extends AnyTurn> = Awaited<ReturnType<Turn["toolCall"]>>;

/** What a tool call shows: text, blocks of content, or the protocol's own items, such as a diff. */
export type ToolOutput = string | readonly (ContentBlock | ToolCallContent | ToolCallContent2)[];

/** A place in a file that a tool call is about. */
export interface ToolLocation {
  /** Absolute. */
  path: string;
  /** Counts from 1. */
  line?: number;
}

/** What changes in a tool call, as far as both versions of the protocol have it. */
export interface CallChange {
  title?: string;
  kind?: ToolKind;
  status?: "pending" | "in_progress";
  rawInput?: unknown;
  rawOutput?: unknown;
  locations?: ToolLocation[];
  content?: ToolOutput;
}

/** A reported tool call, as far as both versions have it. */
export interface ShownCall {
  readonly id: string;
  update(change: CallChange): Promise<void>;
  complete(content?: ToolOutput): Promise<void>;
  fail(content?: ToolOutput): Promise<void>;
  /** Version 2 only. */
  cancelled?(content?: ToolOutput): Promise<void>;
}

type OfferedUpdate =
  | { sessionUpdate: "usage_update"; used: number; size: number; cost?: Cost }
  | { sessionUpdate: "notice"; severity: "info" | "warning" | "error"; title: string; description?: string };

/** A turn, as far as both versions have it: every {@link AnyTurn} is one. */
export interface ShownTurn {
  readonly signal: AbortSignal;
  readonly session: object;
  readonly ended: boolean;
  message(content: string | ContentBlock, options?: { newMessage?: boolean }): Promise<void>;
  thought(content: string | ContentBlock, options?: { newMessage?: boolean }): Promise<void>;
  toolCall(call: CallChange & { title: string; toolCallId: string }): Promise<ShownCall>;
  offer(update: OfferedUpdate): Promise<boolean>;
}

/**
 * A turn as the bridge uses it. The versions differ in types alone here: what one of them takes as content is as wide as what
 * the tools of an agent for that version return.
 */
export function toShown(turn: AnyTurn): ShownTurn {
  requireObject(readMember(turn, "signal"), "This takes the turn of a prompt first", "addEventListener");
  return turn as object as ShownTurn;
}

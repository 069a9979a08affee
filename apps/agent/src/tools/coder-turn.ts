import type { AnyTurn } from "@acp/ai";

import type { Workspace } from "../workspace/workspace.ts";

/** A turn of the coder as its tools see it, the same for both versions of the protocol. */
export interface CoderTurn {
  /** The turn of the protocol: for `reportedCall`, and for updates such as a plan. */
  readonly turn: AnyTurn;
  readonly sessionId: string;
  /** The files and commands that the tools work with. */
  readonly workspace: Workspace;
  /** Aborts when the turn is cancelled. */
  readonly signal: AbortSignal;
}

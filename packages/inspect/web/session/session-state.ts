import type { AskedAction, PermissionOption } from "@acp/render";
import type { ShownStore } from "@acp/render/session";

import type { Step } from "./step.ts";

/** The state of a session in one version of the protocol. It never changes. */
export interface SessionState {
  readonly shown: ShownStore["state"];
  /** The text that each terminal of the agent's own has printed, by its id. */
  readonly terminals: () => ReadonlyMap<string, Terminal>;
  /** The state after a message: the same one if that changes nothing. */
  readonly next: (step: Step) => SessionState;
  /** What a question for permission asks; `undefined` for one that no client can read. */
  readonly ask: (params: unknown) => Asked | undefined;
}

/** A question for permission. */
export interface Asked {
  readonly asked: AskedAction;
  readonly options: readonly PermissionOption[];
}

/** What is known of a command. */
export interface Terminal {
  readonly command: string;
  readonly output: string;
  readonly exit: { readonly exitCode?: number | null; readonly signal?: string | null } | undefined;
}

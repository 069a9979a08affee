import type { ShownContent } from "../shown.ts";

/** What an agent wants to do, and the answers to choose from. */
export interface PermissionQuestion {
  readonly sessionId: string;
  /** The agent has opened the session by itself. */
  readonly isOfAgent: boolean;
  readonly asked: AskedAction;
  /** The tool call that it is about, if it is about one. */
  readonly toolCallId: string | undefined;
  readonly options: readonly PermissionOption[];
}

/** What is asked, as the agent says it. */
export interface AskedAction {
  readonly title: string;
  readonly description: string | undefined;
  readonly kind: string;
  readonly commands: readonly string[];
  readonly directories: readonly string[];
  readonly paths: readonly string[];
  /** All other arguments. */
  readonly details: readonly { readonly name: string; readonly value: string }[];
  readonly content: readonly ShownContent[];
}

export interface PermissionOption {
  readonly optionId: string;
  readonly name: string;
  /** `allow_once`, `allow_always`, `reject_once` or `reject_always`; in version 2 also one that is not known. */
  readonly kind: string;
}

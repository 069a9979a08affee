import type { ShownContent } from "../shown.ts";

/** What an agent wants to do, and the options to choose from. */
export interface PermissionQuestion {
  readonly sessionId: string;
  /** The agent has opened the session by itself. */
  readonly isOfAgent: boolean;
  readonly asked: AskedAction;
  /** The id of the tool call, if the question is about one. */
  readonly toolCallId: string | undefined;
  readonly options: readonly PermissionOption[];
}

/** What the agent asks for, in its own words. */
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
  /** `allow_once`, `allow_always`, `reject_once` or `reject_always`; in version 2 also an unknown kind. */
  readonly kind: string;
}

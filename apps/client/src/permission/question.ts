/** What an agent wants to do, and the answers to choose from. */
export interface PermissionQuestion {
  readonly sessionId: string;
  /** What is asked; `undefined`: whether the call may go on. */
  readonly title: string | undefined;
  /** More about it, a line each. */
  readonly details: readonly string[];
  /** The tool call that it is about, if it is about one, with a title for a call that is not shown. */
  readonly call: { readonly toolCallId: string; readonly title: string } | undefined;
  readonly options: readonly PermissionOption[];
}

export interface PermissionOption {
  readonly optionId: string;
  readonly name: string;
  /** `allow_once`, `allow_always`, `reject_once` or `reject_always`; in version 2 also one that is not known. */
  readonly kind: string;
}

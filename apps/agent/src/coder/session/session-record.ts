import type { ModelMessage } from "ai";

/** An entry in the journal of a session. What a session is follows from its entries, read in order. */
export type SessionRecord =
  /** What was added to the conversation with the model. */
  | { readonly type: "messages"; readonly messages: readonly ModelMessage[] }
  /** The conversation was replaced by a shorter one. */
  | { readonly type: "compacted"; readonly messages: readonly ModelMessage[] }
  /** The model is asked. What it says in this step is added by `messages` at its end, which a crash may prevent. */
  | { readonly type: "step" }
  /** A part of the step that is whole, such as a call or its result: for a step that has no end. */
  | { readonly type: "part"; readonly message: ModelMessage }
  | ShownRecord
  | { readonly type: "settings"; readonly settings: object }
  | { readonly type: "costs"; readonly costs: object };

/** What the client was shown, in the words of its version of the protocol. */
export interface ShownRecord {
  readonly type: "shown";
  readonly version: 1 | 2;
  readonly update: ShownUpdate;
}

export interface ShownUpdate {
  readonly sessionUpdate: string;
  readonly [member: string]: unknown;
}

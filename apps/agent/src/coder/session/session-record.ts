import type { ModelMessage } from "ai";

/** An entry in the journal of a session. What a session is follows from its entries, read in order. */
export type SessionRecord =
  /** What was added to the conversation with the model. */
  | { readonly type: "messages"; readonly messages: readonly ModelMessage[] }
  /** The conversation was replaced by a shorter one. */
  | { readonly type: "compacted"; readonly messages: readonly ModelMessage[] }
  /** What the client was shown, in the words of its version of the protocol. */
  | { readonly type: "shown"; readonly version: 1 | 2; readonly update: { readonly sessionUpdate: string } }
  | { readonly type: "settings"; readonly settings: object }
  | { readonly type: "costs"; readonly costs: object };

// What the page and its frame say to each other.

/** What the page asks the frame for. */
export type ToFrame =
  | { readonly type: "start"; readonly code: string }
  | { readonly type: "prompt"; readonly text: string }
  | { readonly type: "answer"; readonly id: number; readonly optionId: string | null }
  | { readonly type: "stop" };

/** A question that the user has to answer. */
export interface Question {
  readonly id: number;
  readonly title: string;
  readonly options: readonly { readonly optionId: string; readonly name: string; readonly kind: string }[];
}

/** A message of the protocol, as text, and who has sent it. */
export interface Traced {
  readonly from: "agent" | "client";
  readonly text: string;
}

/** What the frame reports. */
export type FromFrame =
  | { readonly type: "ready" | "started" }
  | { readonly type: "failed" | "printed"; readonly text: string }
  | { readonly type: "message"; readonly message: Traced }
  | { readonly type: "question"; readonly question: Question }
  | { readonly type: "withdrawn"; readonly id: number }
  | { readonly type: "items"; readonly items: readonly Item[] }
  | { readonly type: "ended"; readonly stopReason: string };

/** An item of the session as the page draws it: lines of text. */
export interface Item {
  readonly kind: string;
  readonly text: string;
  readonly lines: readonly (readonly [" " | "-" | "+", string])[];
}

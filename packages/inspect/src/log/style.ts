import type { Redaction } from "./redaction.ts";

/** How messages are shown. */
export interface Style {
  /** Shows them in full. */
  readonly isFull: boolean;
  readonly redaction: Redaction;
}

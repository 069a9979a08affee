/** What the drawing of an item depends on besides the item. */
export interface Drawing {
  /** How many columns a line may have. */
  readonly width: number;
  readonly cwd: string;
  readonly thoughts: "folded" | "full";
  /** Nothing is folded: pasted texts, finished plans, outputs of reads and searches. */
  readonly isWhole?: boolean;
  /** The time, as `Date.now()`. */
  readonly now: number;
  /** Whether everything is shown, however long it is. */
  readonly isWhole?: boolean;
  /** How many lines of output a call has room for while it is not in the scrollback. */
  readonly liveRows?: number | undefined;
  /** The tool call that the user is asked about: the question shows all of it. */
  readonly askedCall?: string | undefined;
  /** A character that turns, for what is running. */
  readonly spinner: string;
}

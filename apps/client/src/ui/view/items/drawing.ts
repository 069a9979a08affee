/** What the drawing of an item depends on besides the item. */
export interface Drawing {
  /** How many columns a line may have. */
  readonly width: number;
  readonly cwd: string;
  readonly thoughts: "folded" | "full";
  /** Nothing is folded or cut: pasted texts, finished plans, outputs. */
  readonly isWhole?: boolean;
  /** The time, as `Date.now()`. */
  readonly now: number;
  /** How many lines of output a call has room for while it is not in the scrollback. */
  readonly liveRows?: number | undefined;
  /** The tool call that the user is asked about: the question shows all of it. */
  readonly askedCall?: string | undefined;
  /** A character that turns, for what is running. */
  readonly spinner: string;
}

/** What the drawing of an item depends on besides the item. */
export interface Drawing {
  /** How many columns a line may have. */
  readonly width: number;
  readonly cwd: string;
  readonly thoughts: "folded" | "full";
  /** The time, as `Date.now()`. */
  readonly now: number;
  /** A character that turns, for what is running. */
  readonly spinner: string;
}

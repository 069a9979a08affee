/** A file without what it said of things that no schema has. */
export interface Pruned {
  readonly text: string;
  /** What was taken out, and why, a line each: it names the file and the place. */
  readonly removed: readonly string[];
}

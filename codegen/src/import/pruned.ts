/** A file without its entries about what no schema has. */
export interface Pruned {
  readonly text: string;
  /** What was removed and why, a line each, with the file and the place. */
  readonly removed: readonly string[];
}

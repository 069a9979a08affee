import type { RuntimeName } from "../support/runtimes.ts";
import type { Cell } from "./cell.ts";

/** What became of a cell on a runtime; no problems if all is well. */
export interface CellResult {
  readonly runtime: RuntimeName;
  readonly cell: Cell;
  readonly problems: readonly string[];
}

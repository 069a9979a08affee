import type { Options } from "../options.ts";

/** Something that is measured and told as one table. */
export interface Part {
  readonly name: string;
  readonly group: string;
  /** Whether it is measured on Node alone. */
  readonly isOfNode?: boolean;
  /** Runs it. */
  run(options: Options): Promise<Outcome>;
}

/** What came out: rows for people, and the figures behind them for programs. */
export interface Outcome {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly figures: unknown;
}

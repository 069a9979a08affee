import type { CheckLevel } from "../engine/check.ts";

/** A list of checks under a name: a run of it makes the same checks with every later version of this package. */
export interface CheckSet {
  /** The month in which it was frozen, such as `2026-11`. */
  readonly name: string;
  /** Whether checks still join it: until the first release that has it. The lists then say nothing. */
  readonly isOpen?: boolean;
  /** The ids of its checks of agents, with how much each weighs. */
  readonly agent: Readonly<Record<string, CheckLevel>>;
  /** The same for its checks of clients. */
  readonly client: Readonly<Record<string, CheckLevel>>;
}

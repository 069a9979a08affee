import type { Edition } from "./edition.ts";
import type { Wire } from "./wire.ts";

/** A session that is recorded. It asserts nothing: the recording does. */
export interface Scenario {
  readonly name: string;
  /**
   * Whether the order between both sides counts as well. It does where a side is played by hand, since that waits for the
   * other one. Where both are ours, it depends on how many promises lie between a message and its answer.
   */
  readonly order: "total" | "per side";
  run(wire: Wire): Promise<void>;
}

/** Scenarios that share a file. */
export interface Topic {
  /** The name of the file, behind the edition. */
  readonly name: string;
  /** Whose methods it speaks. */
  readonly edition: Edition["name"];
  readonly scenarios: readonly Scenario[];
}

/** A scenario of both sides of ours. */
export function between(name: string, run: (wire: Wire) => Promise<void>): Scenario {
  return { name, order: "per side", run };
}

/** A scenario in which one side is played by hand. */
export function byHand(name: string, run: (wire: Wire) => Promise<void>): Scenario {
  return { name, order: "total", run };
}

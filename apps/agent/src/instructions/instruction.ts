import type { Task } from "../task.ts";

/** Something the agent can be told to do: `read src/a.js`, or `/read src/a.js`. */
export interface Instruction {
  /** The first word, and the name of the slash command. */
  readonly name: string;
  /** Other first words. */
  readonly aliases?: readonly string[];
  /** What follows the name, as a hint for the user; absent if nothing does. */
  readonly hint?: string;
  /** One line about what it does. */
  readonly summary: string;
  /** Does it. */
  run(rest: string, task: Task): Promise<void>;
}

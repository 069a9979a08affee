import type { Task } from "../task.ts";

/** Something that the user can ask for: `read src/a.js`, or as a slash command `/read src/a.js`. */
export interface Instruction {
  /** The first word of the prompt, and the name of the slash command. */
  readonly name: string;
  /** Other first words for the same instruction. */
  readonly aliases?: readonly string[];
  /** Describes the argument to the user. Absent if the instruction takes none. */
  readonly hint?: string;
  /** One line for the list of slash commands. */
  readonly summary: string;
  /** @param argument The text after the name; empty if there is none. */
  run(argument: string, task: Task): Promise<void>;
}

import type { ModeId } from "../settings/modes.ts";

/** What the system prompt depends on. */
export interface InstructionOptions {
  readonly cwd: string;
  readonly directories: readonly string[];
  readonly mode: ModeId;
  readonly isSubagent: boolean;
}

/** The system prompt: who the model is, where it works, and what it may do at the moment. */
export function createInstructions({ cwd, directories, mode, isSubagent }: InstructionOptions): string {
  return [
    "You are a coding agent. You work on the project of the user with the tools that you have.",
    `The directory of the project is ${cwd}.`,
    ...(directories.length > 1 ? [`You may also use ${directories.slice(1).join(", ")}.`] : []),
    ...(mode === "plan" ? ["You can only read now. Answer with a plan of what you would change, and where."] : []),
    ...(isSubagent
      ? ["You do a part of the work for another agent. Answer with what it has asked for, in few words."]
      : []),
  ].join("\n");
}

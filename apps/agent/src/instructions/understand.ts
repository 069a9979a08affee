import type { Received } from "@acp/schema/v2";

import type { Task } from "../task.ts";
import { instructions } from "./index.ts";
import type { Instruction } from "./instruction.ts";

/** What a prompt asks for. */
export interface Understood {
  readonly instruction: Instruction;
  /** What follows its name. */
  readonly rest: string;
}

/** Finds the instruction in a prompt: `/read a.js`, `read a.js`, `Please read a.js`. `undefined` if there is none. */
export function understand(text: string): Understood | undefined {
  const [, word = "", rest = ""] =
    /^(?:please\s+|(?:can|could|would) you\s+)*\/?([\w?]+)[,.!]?(?:\s+([\s\S]*))?$/iu.exec(text.trim()) ?? [];
  const name = word.toLowerCase();
  const instruction = instructions.find((one) => one.name === name || one.aliases?.includes(name) === true);
  return instruction === undefined ? undefined : { instruction, rest: rest.trim() };
}

/** Does what a prompt says, or explains what it could say. */
export async function follow(text: string, task: Task): Promise<void> {
  const understood = understand(text);
  if (understood !== undefined) return understood.instruction.run(understood.rest, task);
  await task.say(
    "I have no language model, so I only understand instructions that begin with a word I know. /help lists them.",
  );
}

/** A prompt of either version as text; links stand as their address, or their path if they are files (PROM-05). */
export function promptText(prompt: readonly Received.ContentBlock[]): string {
  return prompt
    .map((block) => {
      if (block.type === "text") return block.text;
      return block.type === "resource_link" ? ` ${block.uri} ` : "";
    })
    .join("")
    .trim();
}

import type { Received } from "@acp/schema/v1";

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

/** A prompt as text; links stand as their address, or their path if they are files (PROM-05). */
export function promptText(prompt: readonly Received.ContentBlock[]): string {
  return prompt
    .map((block) => {
      if (block.type === "text") return block.text;
      return block.type === "resource_link" ? ` ${block.uri} ` : "";
    })
    .join("")
    .trim();
}

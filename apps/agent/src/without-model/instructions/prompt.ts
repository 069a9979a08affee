import type { Received } from "@acp/schema/v2";

import type { Task } from "../task.ts";
import { instructions } from "./index.ts";
import type { Instruction } from "./instruction.ts";

/** A prompt that names an instruction. */
export interface ParsedPrompt {
  readonly instruction: Instruction;
  /** The text after the name. */
  readonly argument: string;
}

/** Finds the instruction in `/read a.js`, `read a.js` or `Please read a.js`. Returns `undefined` if there is none. */
export function parsePrompt(text: string): ParsedPrompt | undefined {
  const [, word = "", argument = ""] =
    /^(?:please\s+|(?:can|could|would) you\s+)*\/?([\w?]+)[,.!]?(?:\s+([\s\S]*))?$/iu.exec(text.trim()) ?? [];
  const name = word.toLowerCase();
  const instruction = instructions.find((one) => one.name === name || one.aliases?.includes(name) === true);
  return instruction === undefined ? undefined : { instruction, argument: argument.trim() };
}

/** Runs the instruction in a prompt. If there is none, tells the user how to get help. */
export async function runPrompt(text: string, task: Task): Promise<void> {
  const parsed = parsePrompt(text);
  if (parsed !== undefined) return parsed.instruction.run(parsed.argument, task);
  await task.say(
    "I have no language model, so I only understand instructions that begin with a word I know. /help lists them.",
  );
}

/**
 * Joins the text of a prompt of either version. A link becomes its URI (PROM-05), in place of the `@path` by which the text
 * names the same file, if it does; other content is left out.
 */
export function promptText(prompt: readonly Received.ContentBlock[]): string {
  return prompt.reduce((text, block) => addBlock(text, block), "").trim();
}

function addBlock(text: string, block: Received.ContentBlock): string {
  if (block.type === "text") return text + block.text;
  if (block.type !== "resource_link") return text;
  const { uri } = block;
  const mention = text.split(/\s+/u).find((word) => /^@./u.test(word) && uri.endsWith(encodeURI(`/${word.slice(1)}`)));
  return mention === undefined ? `${text} ${uri} ` : text.replace(mention, () => uri);
}

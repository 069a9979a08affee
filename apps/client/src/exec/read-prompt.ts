import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";

import { CommandLineError } from "../cli/command-line-error.ts";
import { optionError } from "../cli/options.ts";
import type { Streams } from "../cli/streams.ts";
import { execSpec } from "./exec-spec.ts";

/** How long to wait for the end of stdin before the user is told about it, in milliseconds. */
const patience = 1_000;

/** Where the prompt comes from. */
export interface PromptSources {
  /** The argument; `-` names stdin. */
  readonly argument: string | undefined;
  /** The path of `--file`. */
  readonly file: string | undefined;
}

/**
 * The prompt: the argument, then the file, then what is on stdin if that is no terminal.
 *
 * @throws {CommandLineError} if there is none, or a file cannot be read.
 */
export async function readPrompt({ argument, file }: PromptSources, streams: Streams): Promise<string> {
  const own = argument === "-" ? undefined : argument;
  const fromFile = file === undefined ? undefined : await readPromptFile(file);
  const isTerminal = streams.input.isTTY === true;
  const hasAll = own !== undefined || fromFile !== undefined;
  const fromInput = isTerminal && hasAll && argument !== "-" ? undefined : await readInput(streams, hasAll);
  const prompt = [own, fromFile, fromInput]
    .map((part) => part?.trim() ?? "")
    .filter((part) => part !== "")
    .join("\n\n");
  if (prompt === "") throw new CommandLineError('There is no prompt. Write one: acp exec "prompt", or to stdin');
  return prompt;
}

async function readPromptFile(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw optionError("file", execSpec.options.file, `--file cannot be read: ${reason}`);
  }
}

async function readInput({ input, error }: Streams, hasMore: boolean): Promise<string> {
  const end = process.platform === "win32" ? "Ctrl-Z and Enter" : "Ctrl-D";
  if (input.isTTY === true) error.write(`Type the prompt, then ${end} on a line of its own:\n`);
  // Whoever started this program may have left its stdin open without a thought.
  const waiting =
    "acp exec: Waiting for the end of stdin, which is a part of the prompt. Use < /dev/null if it has none\n";
  const timer = hasMore && input.isTTY !== true ? setTimeout(() => error.write(waiting), patience) : undefined;
  try {
    return await text(input);
  } finally {
    clearTimeout(timer);
  }
}

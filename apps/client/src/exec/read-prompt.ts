import { readFile } from "node:fs/promises";

import { CommandLineError } from "../cli/exit.ts";
import { optionError } from "../cli/options.ts";
import type { Streams } from "../cli/streams.ts";
import { whyUnreadable } from "../text/file-content.ts";
import type { ExecOptions } from "./exec-options.ts";
import { execSpec } from "./exec-spec.ts";

/** How long to wait for the end of stdin before the user is told about it, in milliseconds. */
const patience = 1_000;
/** How long to wait for its beginning if there is a prompt without it, in milliseconds. */
const idleLimit = 3_000;

/**
 * The prompt: the argument, then the file, then what is on stdin if that is no terminal.
 *
 * @throws {CommandLineError} if there is none, or a file cannot be read.
 */
export async function readPrompt(
  { argument, file, asksForInput }: Pick<ExecOptions, "argument" | "file" | "asksForInput">,
  streams: Streams,
): Promise<string> {
  const fromFile = file === undefined ? undefined : await readPromptFile(file);
  const isTerminal = streams.input.isTTY === true;
  const hasAll = argument !== undefined || fromFile !== undefined;
  const isLeftOut = isTerminal && hasAll && !asksForInput;
  const fromInput = isLeftOut ? undefined : await readInput(streams, hasAll, hasAll && !asksForInput);
  const prompt = [argument, fromFile, fromInput]
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
    throw optionError(execSpec.options, "file", `--file: ${whyUnreadable(path, error)}`);
  }
}

/** Reads stdin to its end. `mayBeIdle`: whoever started this program may have left it open without a thought, as CI jobs do. */
function readInput({ input, error }: Streams, hasMore: boolean, mayBeIdle: boolean): Promise<string> {
  const end = process.platform === "win32" ? "Ctrl-Z and Enter" : "Ctrl-D";
  if (input.isTTY === true) error.write(`Type the prompt, then ${end} on a line of its own:\n`);
  const say = (text: string): void => void error.write(`acp exec: ${text}\n`);
  let text = "";
  return new Promise((resolve, reject) => {
    const waiting = setTimeout(() => {
      if (hasMore && input.isTTY !== true)
        say("Waiting for the end of stdin, which is a part of the prompt. Use < /dev/null if it has none");
    }, patience);
    const idle = setTimeout(() => {
      if (!mayBeIdle || text !== "") return;
      say("Nothing comes from stdin: the prompt is sent without it. To wait longer, add the argument -");
      settle();
      let isTold = false;
      // It goes on flowing: a stream that is paused here would be read again, and keep this program alive.
      input.on("data", () => {
        if (!isTold) say("What came from stdin later is not a part of the prompt. To wait for it, add the argument -");
        isTold = true;
      });
    }, idleLimit);
    const add = (piece: string | Buffer): void => void (text += String(piece));
    const settle = (): void => {
      clearTimeout(waiting);
      clearTimeout(idle);
      input.off("data", add).off("end", settle);
      resolve(text);
    };
    input.setEncoding("utf8");
    input.on("data", add).on("end", settle).once("error", reject);
  });
}

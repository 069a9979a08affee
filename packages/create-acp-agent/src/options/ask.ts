import process from "node:process";
import { createInterface, type Interface } from "node:readline/promises";

import { languages, type Options, templates } from "./options.ts";

/** The user has cancelled. */
export class CancelledError extends Error {
  override readonly name = "CancelledError";
}

/** Asks on the terminal for what the command line does not say. @throws {CancelledError} on Ctrl-C and Ctrl-D. */
export async function askForOptions(options: Options): Promise<Options> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const cancelled = new AbortController();
  lines.once("close", () => cancelled.abort());
  try {
    const name = options.name ?? (await ask(lines, cancelled.signal, "Name", "my-agent"));
    const template = options.template ?? (await choose(lines, cancelled.signal, "Template", templates));
    const language = options.language ?? (await choose(lines, cancelled.signal, "Language", languages));
    const install = options.install ?? (await choose(lines, cancelled.signal, "Install", ["yes", "no"])) === "yes";
    return { ...options, name, template, language, install };
  } finally {
    lines.close();
  }
}

async function ask(lines: Interface, signal: AbortSignal, question: string, preset: string): Promise<string> {
  try {
    const answer = (await lines.question(`${question} (${preset}): `, { signal })).trim();
    return answer === "" ? preset : answer;
  } catch (cause) {
    throw new CancelledError("Cancelled. Nothing was made.", { cause });
  }
}

/** Asks until the answer is one of the choices, or how one of them begins; the first is the default. */
async function choose<T extends string>(
  lines: Interface,
  signal: AbortSignal,
  question: string,
  choices: readonly [T, ...T[]],
): Promise<T> {
  for (;;) {
    const answer = (await ask(lines, signal, `${question}: ${choices.join(", ")}`, choices[0])).toLowerCase();
    const chosen = choices.find((choice) => choice.startsWith(answer));
    if (chosen !== undefined) return chosen;
  }
}

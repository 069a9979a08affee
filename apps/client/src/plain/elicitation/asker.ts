import { visibleText } from "@acp/core/state";

import type { LineReader } from "../input/line-reader.ts";
import type { Transcript } from "../transcript/transcript.ts";

/** The means to ask the user a question. */
export interface Asker {
  readonly lines: LineReader;
  readonly transcript: Transcript;
  /** The agent's name, so that the user knows who asks (ELIC-23). */
  readonly agent: string;
  /** The id of the session that it asks in, if the agent has opened that by itself. */
  readonly beside: string | undefined;
  readonly signal: AbortSignal;
}

export type Ending = "decline" | "cancel";

export function showLine({ transcript }: Asker, text: string, indent = ""): void {
  transcript.remark(indent + visibleText(text));
}

/** Reads the user's next line; the end of input counts as `/cancel`. */
export async function ask({ lines, transcript, signal }: Asker, prompt: string): Promise<string> {
  const line = await lines.ask(`    ${visibleText(prompt)} `, signal);
  transcript.takeBack(false);
  return line === undefined ? "/cancel" : line.trim();
}

/** Asks for one of several words, or its first letter. */
export async function choose<Word extends string>(
  asker: Asker,
  question: string,
  words: readonly Word[],
): Promise<Word | "cancel"> {
  const prompt = `${question} ${words.map((word) => `[${word[0]}]${word.slice(1)}`).join(", ")}:`;
  for (;;) {
    // Text typed before the question appeared is no answer, and neither is an empty line.
    const answer = (await ask(asker, prompt)).toLowerCase();
    if (answer === "/cancel") return "cancel";
    const chosen = words.find((word) => answer === word || answer === word[0]);
    if (chosen !== undefined) return chosen;
    showLine(asker, `Please type one of these words, or its first letter: ${words.join(", ")}`);
  }
}

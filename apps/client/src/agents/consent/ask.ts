import { createInterface } from "node:readline/promises";

import type { Streams } from "../../cli/streams.ts";

/** Asks a question that is answered by yes or no, on stderr. Everything but a yes is a no, and so is the end of the input. */
export async function ask(question: string, { input, error }: Streams): Promise<boolean> {
  const reader = createInterface({ input, output: error });
  const ended = new Promise<string>((resolve) => {
    reader.once("close", () => resolve(""));
  });
  // Without a listener, Ctrl-C would end the process in the middle of a line.
  reader.once("SIGINT", () => {
    error.write("\n");
    reader.close();
  });
  try {
    const answer = await Promise.race([reader.question(`${question} [y/N] `), ended]);
    return /^y(?:es)?$/iu.test(answer.trim());
  } finally {
    reader.close();
  }
}

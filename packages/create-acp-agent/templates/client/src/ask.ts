import process from "node:process";
import { createInterface } from "node:readline/promises";

/** Asks a question on the terminal; resolves with nothing when the user cancels. */
export async function ask(question: string, signal: AbortSignal): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await lines.question(question, { signal });
  } catch {
    return "";
  } finally {
    lines.close();
  }
}

// Editors run the agent with --login in a terminal, so that the user can enter a key.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline/promises";

/** Asks for an API key on the terminal, and stores it where only the user can read it. Returns whether there is one. */
export async function askForKey(keyFile: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const closed = new Promise<string>((resolve) => lines.once("close", () => resolve("")));
    const key = (await Promise.race([lines.question("API key: "), closed])).trim();
    if (key === "") return false;
    await mkdir(dirname(keyFile), { recursive: true, mode: 0o700 });
    await writeFile(keyFile, key, { mode: 0o600 });
    return true;
  } finally {
    lines.close();
  }
}

import { writeFile } from "node:fs/promises";
import { join } from "node:path";

/** How much text the terminals take that limit it: xterm and tmux, of what they get in base64. */
const maxCopied = 74_994;

/** What makes a terminal copy a text (OSC 52). `undefined` if it is too long. */
export function copySequence(text: string): string | undefined {
  const encoded = Buffer.from(text).toString("base64");
  return encoded.length > maxCopied ? undefined : `\u001B]52;c;${encoded}\u0007`;
}

/** Writes a text to a new file in a folder, readable only for the user. Returns its name. */
export async function saveTranscript(folder: string, text: string): Promise<string> {
  const day = new Date().toISOString().slice(0, 10);
  for (let number = 1; ; number += 1) {
    const name = `transcript-${day}${number === 1 ? "" : `-${number}`}.txt`;
    try {
      await writeFile(join(folder, name), text, { flag: "wx", mode: 0o600 });
      return name;
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
  }
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Environment } from "../../cli/streams.ts";

/**
 * Lets the user edit a text in `$VISUAL` or `$EDITOR`, which gets the terminal. Returns the new text, or `undefined` if the
 * editor failed. Nobody else can read the file, which is removed afterwards.
 */
export async function editInEditor(text: string, env: Environment): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), "acp-prompt-"));
  try {
    const file = join(folder, "prompt.md");
    await writeFile(file, text, { mode: 0o600 });
    if (!(await runEditor(env, file))) return undefined;
    const edited = await readFile(file, "utf8");
    return edited.replaceAll(/\r\n?/gu, "\n").replace(/\n+$/u, "");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs `$VISUAL` or `$EDITOR`, which is a command of a shell. Returns whether it succeeded. */
async function runEditor({ VISUAL: visual = "", EDITOR: editor = "" }: Environment, file: string): Promise<boolean> {
  const isWindows = process.platform === "win32";
  const command = [visual, editor].find((one) => one.trim() !== "") ?? (isWindows ? "notepad" : "vi");
  const child = isWindows
    ? spawn(`${command} "${file}"`, { shell: true, stdio: "inherit" })
    : spawn("/bin/sh", ["-c", `${command} "$1"`, "sh", file], { stdio: "inherit" });
  try {
    const [code]: unknown[] = await once(child, "close");
    return code === 0;
  } catch {
    return false;
  }
}

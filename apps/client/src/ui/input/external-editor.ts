import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Lets the user edit a text in `$VISUAL` or `$EDITOR`, which gets the terminal. Returns the new text, or `undefined` if the
 * editor failed. Nobody else can read the file, which is removed afterwards.
 */
export async function editInEditor(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), "acp-prompt-"));
  try {
    const file = join(folder, "prompt.md");
    await writeFile(file, text, { mode: 0o600 });
    if (!(await runEditor(editorOf(env), file))) return undefined;
    const edited = await readFile(file, "utf8");
    return edited.replaceAll(/\r\n?/gu, "\n").replace(/\n+$/u, "");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The user's editor, as a command of a shell. */
function editorOf(env: Readonly<Record<string, string | undefined>>): string {
  const chosen = [env["VISUAL"], env["EDITOR"]].find((command) => command !== undefined && command.trim() !== "");
  return chosen ?? (process.platform === "win32" ? "notepad" : "vi");
}

async function runEditor(command: string, file: string): Promise<boolean> {
  const child =
    process.platform === "win32"
      ? spawn(`${command} "${file}"`, { shell: true, stdio: "inherit" })
      : spawn("/bin/sh", ["-c", `${command} "$1"`, "sh", file], { stdio: "inherit" });
  try {
    const [code]: unknown[] = await once(child, "close");
    return code === 0;
  } catch {
    return false;
  }
}

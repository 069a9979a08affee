import { run } from "../cli/run.ts";

/** How a run of `acp-codegen` ended, and what it printed. */
export interface CommandRun {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

/** Runs `acp-codegen` in this process, as if it was started in this folder. One at a time. */
export async function runCommand(directory: string, ...args: readonly string[]): Promise<CommandRun> {
  let out = "";
  let error = "";
  const before = process.cwd();
  process.chdir(directory);
  try {
    const code = await run(args, { out: (text) => (out += text), error: (text) => (error += text) });
    return { code, out, error };
  } finally {
    process.chdir(before);
  }
}

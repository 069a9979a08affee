import type { ProcessExit } from "../runtime/runtime.ts";

const quotedLines = 12;
const quotedLength = 2_000;

/** What happened to a process, for people: `exited with code 3`. */
export function describeExit({ exitCode, signal }: ProcessExit): string {
  if (signal !== null) return `was ended by ${signal}`;
  return exitCode === null ? "ended" : `exited with code ${exitCode}`;
}

/** The end of a stderr, quoted to be put behind a message; empty if there is none. */
export function quoteStderr(stderr: string): string {
  const trimmed = stderr.trimEnd();
  if (trimmed === "") return "";
  const lines = trimmed.slice(-quotedLength).split(/\r?\n/u).slice(-quotedLines);
  return `\nThe end of its stderr:\n${lines.map((line) => `  ${line}`).join("\n")}`;
}

/** A command as a person would type it; not meant to be run. */
export function describeCommand(command: string, args: readonly string[]): string {
  return [command, ...args].map((part) => (/^[\w@%+=:,./\\-]+$/u.test(part) ? part : JSON.stringify(part))).join(" ");
}

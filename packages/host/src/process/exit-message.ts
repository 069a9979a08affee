import type { FailedProcess } from "@acp/core";

import type { ProcessExit } from "../runtime/runtime.ts";

const quotedLines = 12;
/** In UTF-16 code units, like the length of a line. */
const quotedLength = 2_000;
const errorLineLength = 500;

/** Describes how a process ended: `exited with code 3`. */
export function describeExit({ exitCode, signal }: ProcessExit): string {
  if (signal !== null) return `was ended by ${signal}`;
  return exitCode === null ? "ended" : `exited with code ${exitCode}`;
}

/** Describes a process for an error. */
export function failedProcess(
  { command, args = [] }: { readonly command: string; readonly args?: readonly string[] | undefined },
  pid: number | undefined,
  event: string,
  stderr = "",
): FailedProcess {
  return { command, args, pid, event, quoted: endOf(stderr) };
}

/** The message of an error about a process. `start` comes before its name. */
export function processMessage(start: string, { command, args, pid, event, quoted }: FailedProcess): string {
  const id = pid === undefined ? "" : ` (pid ${pid})`;
  return `${start}${describeCommand(command, args)}${id} ${event}${quoteLines(quoted)}`;
}

/** Quotes the end of a stderr for the end of a message; empty if there is none, or if these lines have been quoted already. */
export function quoteStderr(stderr: string, quoted: readonly string[] = []): string {
  const lines = endOf(stderr);
  return lines.join("\n") === quoted.join("\n") ? "" : quoteLines(lines);
}

function quoteLines(lines: readonly string[]): string {
  return lines.length === 0 ? "" : `\nThe end of its stderr:\n${lines.map((line) => `  ${line}`).join("\n")}`;
}

function endOf(stderr: string): readonly string[] {
  const trimmed = stderr.trimEnd();
  if (trimmed === "") return [];
  const lines = withoutStacks(trimmed.split(/\r?\n/u));
  const end = lines.slice(-quotedLines).join("\n").trimEnd().slice(-quotedLength).split("\n");
  // Only in the part to quote: in a crafted line, the search takes the square of its length.
  const error = lines.findLast((line) => errorLine.test(line.slice(0, errorLineLength)));
  // The reason is worth more than the lines behind it.
  if (error !== undefined && !end.includes(error)) end.unshift(error.slice(0, errorLineLength), "…");
  return end;
}

/** How an uncaught error starts, as Node, Deno, Bun, Python, Go and Rust print it. */
const errorLine =
  /^\s*(?:error: |Uncaught |panic: |thread '.*' panicked|(?:\[cause\]: )?[\w.]*(?:Error|Exception)\b[^:]*:)/u;
const stackFrame = /^\s+at \S/u;
const leftOut = /^\s+\.\.\. \d+ lines matching /u;
const version = /^(?:Node\.js|Bun) v\d+\./u;

/** Drops lines that would push the error out: its stack except for the place, and the runtime's version. */
function withoutStacks(lines: readonly string[]): readonly string[] {
  return lines.filter((line, index) => {
    if (version.test(line) || leftOut.test(line)) return false;
    return !stackFrame.test(line) || !stackFrame.test(lines[index - 1] ?? "");
  });
}

/** Writes a command as a person would type it; not meant to be run. */
export function describeCommand(command: string, args: readonly string[]): string {
  return [command, ...args].map((part) => (/^[\w@%+=:,./\\-]+$/u.test(part) ? part : JSON.stringify(part))).join(" ");
}

import { onWindows, programOn } from "./platform.ts";
import type { RuntimeName } from "../support/runtimes.ts";

/** What `programs/steps.ts` knows, with a value. */
export type Step =
  | readonly ["stdin" | "child" | "sleep" | "pwd"]
  | readonly ["out" | "bytes" | "much" | "until" | "pids" | "env" | "exit", string];

/** A command in a few steps: a line of `sh`, or on Windows, which has none, a program of ours. */
export function script(
  runtimeName: RuntimeName,
  line: string,
  steps: readonly Step[],
): { readonly command: string; readonly args: string[] } {
  if (onWindows) return programOn(runtimeName, "steps", ["--steps", JSON.stringify(steps)]);
  return { command: "sh", args: ["-c", line] };
}

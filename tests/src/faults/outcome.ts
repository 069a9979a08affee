import process from "node:process";
import { writeSync } from "node:fs";

/** What a promise came to. */
export type Outcome =
  | { readonly state: "resolved"; readonly value: string }
  | { readonly state: "rejected"; readonly code: string | undefined; readonly message: string }
  | { readonly state: "hangs" };

/** A line that the attacked agent writes to stderr: a promise that has begun or settled, or what must not be. */
export interface AgentReport {
  readonly name: string;
  readonly outcome?: Outcome;
  readonly problem?: string;
}

/** What has not come after so many milliseconds never will, however busy the machine is. */
const hangs = 90_000;

/** The value of a promise, or `hangs`. */
export async function within<T>(promise: Promise<T>): Promise<T | "hangs"> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<"hangs">((resolve) => (timer = setTimeout(resolve, hangs, "hangs")));
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for a promise. Never rejects. */
export async function outcomeOf(promise: Promise<unknown>): Promise<Outcome> {
  try {
    const value = await within(promise);
    return value === "hangs" ? { state: "hangs" } : { state: "resolved", value: String(value) };
  } catch (error) {
    // The errors of the toolkit have a code; whatever else is thrown has none, or is the reason of a signal.
    const { code, name, message } = error as {
      readonly code?: unknown;
      readonly name?: string;
      readonly message?: string;
    };
    const known = typeof code === "string" ? code : name === "AbortError" ? "aborted" : undefined;
    return { state: "rejected", code: known, message: String(message) };
  }
}

/** Writes a line of JSON at once: the process may end right afterwards. */
export function tell(descriptor: 1 | 2, line: object): void {
  writeSync(descriptor, `${JSON.stringify(line)}\n`);
}

/** Reports rejections that nobody handles, and errors that nobody catches. */
export function watchUnhandled(report: (problem: string) => void): void {
  process.on("unhandledRejection", (reason) => report(`a rejection that nobody handles: ${String(reason)}`));
  process.on("uncaughtException", (error) => report(`an error that nobody catches: ${String(error)}`));
}

import { ProcessExitError } from "@acp/core";

/** An error, and what has caused it, as far as anybody looks. */
const maxCauses = 5;
/** What operating systems call an error. */
const systemCode = /^E[A-Z0-9]+$/;

/**
 * Why whoever was to answer is not there (any more), as far as a peer may know: put behind a sentence, in parentheses;
 * empty where nothing may be told. The text of an error is not for a peer: there may be the end of a stderr in it, or
 * an argument or address that is a secret.
 */
export function endReason(error: unknown): string {
  let cause = error;
  for (let depth = 0; depth < maxCauses && cause instanceof Error; depth++) {
    if (cause instanceof ProcessExitError) {
      const { exitCode, signal } = cause;
      if (signal !== null) return ` (${signal})`;
      return exitCode === null ? "" : ` (exit code ${exitCode})`;
    }
    // As errors of a start have it, and those of Node.
    const { reason, code, command } = cause as { reason?: unknown; code?: unknown; command?: unknown };
    const why = [reason, code].find((one): one is string => typeof one === "string" && systemCode.test(one));
    if (why !== undefined) return typeof command === "string" ? ` (${why}: ${command})` : ` (${why})`;
    ({ cause } = cause);
  }
  return "";
}

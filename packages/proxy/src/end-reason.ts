import { ProcessExitError } from "@acp/core";

/** How many errors are searched: the error itself and its causes. */
const maxCauses = 5;
/** An error code of an operating system. */
const systemCode = /^E[A-Z0-9]+$/;

/**
 * Why a peer ended or could not be started, in parentheses, to append to a sentence; empty if nothing may be said. The
 * message of an error stays private: it may quote stderr, an argument or an address.
 */
export function endReason(error: unknown): string {
  let cause = error;
  for (let depth = 0; depth < maxCauses && cause instanceof Error; depth++) {
    if (cause instanceof ProcessExitError) {
      const { exitCode, signal } = cause;
      if (signal !== null) return ` (${signal})`;
      return exitCode === null ? "" : ` (exit code ${exitCode})`;
    }
    // `reason` is that of a `ProcessStartError`, `code` that of errors of Node.js.
    const { reason, code, command } = cause as { reason?: unknown; code?: unknown; command?: unknown };
    const why = [reason, code].find((one): one is string => typeof one === "string" && systemCode.test(one));
    if (why !== undefined) return typeof command === "string" ? ` (${why}: ${command})` : ` (${why})`;
    ({ cause } = cause);
  }
  return "";
}

/** The operating system's code of an error (`ENOENT`), or `undefined`. */
export function errorCode(error: unknown): string | undefined {
  const code = (error as { readonly code?: unknown } | null | undefined)?.code;
  return typeof code === "string" ? code : undefined;
}

/**
 * Whether it is the runtime that forbids it, Deno or Node with `--permission`: whoever started this process forgot a
 * flag, which the error's message names. That is for the client's diagnostics, not for an agent to read.
 */
export function isForbidden(error: unknown): boolean {
  const code = errorCode(error);
  return code === "ENOTCAPABLE" || code === "ERR_ACCESS_DENIED";
}

/** What an error says, whatever was thrown. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

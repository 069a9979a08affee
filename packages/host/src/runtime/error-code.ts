/** Reads the operating system's code of an error (`ENOENT`), or returns `undefined`. */
export function errorCode(error: unknown): string | undefined {
  const code = (error as { readonly code?: unknown } | null | undefined)?.code;
  return typeof code === "string" ? code : undefined;
}

/**
 * Whether the runtime forbids it, Deno or Node with `--permission`: this process was started without a flag, which the
 * error's message names. That is for the client's diagnostics, not for an agent.
 */
export function isForbidden(error: unknown): boolean {
  const code = errorCode(error);
  return code === "ENOTCAPABLE" || code === "ERR_ACCESS_DENIED";
}

/** The session a message belongs to. */
export function sessionIdOf(params: unknown): string | undefined {
  if (typeof params !== "object" || params === null) return undefined;
  const { sessionId } = params as { readonly sessionId?: unknown };
  return typeof sessionId === "string" ? sessionId : undefined;
}

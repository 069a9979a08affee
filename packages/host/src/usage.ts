import { UsageError } from "@acp/core";

/**
 * For callers without types: what is missing would come to light later, in the middle of something else.
 *
 * @throws {UsageError} if there is no program to start.
 */
export function requireCommand(options: { readonly command?: unknown } | undefined): void {
  if (typeof options?.command === "string" && options.command !== "") return;
  throw new UsageError("There is no program to start: `command` must be its path, or a name to look up on PATH");
}

/** @throws {UsageError} if it is no definition, or that of the other side. */
export function requireDefinition(
  definition: { readonly connect?: unknown; readonly role?: unknown } | undefined,
  side: "Agent" | "Client",
): void {
  const role = side.toLowerCase();
  // One that is made by hand need not say what it is.
  if (typeof definition?.connect === "function" && (definition.role ?? role) === role) return;
  throw new UsageError(`This is no ${role} that can be connected: pass what create${side}() has returned`);
}

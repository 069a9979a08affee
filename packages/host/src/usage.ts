import { UsageError } from "@acp/core";
import { requireObject } from "@acp/core/internal";

/**
 * Checks the command early, for callers without types.
 *
 * @throws {UsageError} if there is no program to start.
 */
export function requireCommand(options: { readonly command?: unknown } | undefined): void {
  if (typeof options?.command === "string" && options.command !== "") return;
  throw new UsageError("There is no program to start: `command` must be its path, or a name to look up on PATH");
}

/** @throws {UsageError} for anything but the definition of this side. */
export function requireDefinition(
  definition: { readonly connect?: unknown; readonly role?: unknown } | undefined,
  side: "Agent" | "Client",
): void {
  const role = side.toLowerCase();
  // A hand-written one need not have a role.
  if (typeof definition?.connect === "function" && (definition.role ?? role) === role) return;
  throw new UsageError(`This is no ${role} that can be connected: pass what create${side}() has returned`);
}

/** @throws {UsageError} for anything but a runtime. */
export function requireRuntime(runtime: unknown, call: string): void {
  requireObject(runtime, `${call}() takes a runtime`, "spawn");
}

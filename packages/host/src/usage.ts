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

/** @throws {UsageError} if it is no definition of an agent or a client, by the name of the function that makes one. */
export function requireDefinition(definition: { readonly connect?: unknown } | undefined, maker: string): void {
  if (typeof definition?.connect === "function") return;
  throw new UsageError(`This is nothing that can be connected: pass what ${maker}() has returned`);
}

import type { NextLoop } from "@acp/host";

/**
 * `undefined` where this process would keep its peer from running, before Node 20.16, where one could not tell without an
 * import that costs every agent a millisecond, and where there is no `setImmediate`, as in the pages that Jest imitates.
 */
export function nextLoop(): NextLoop | undefined {
  if (typeof process.getBuiltinModule !== "function") return undefined;
  return process.getBuiltinModule("node:os").availableParallelism() > 1 ? globalThis.setImmediate : undefined;
}

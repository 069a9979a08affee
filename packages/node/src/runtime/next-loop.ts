import type { NextLoop } from "@acp/host";

/**
 * `undefined` where this process would keep its peer from running, and before Node 20.16, where one could not tell
 * without an import that costs every agent a millisecond.
 */
export function nextLoop(): NextLoop | undefined {
  if (typeof process.getBuiltinModule !== "function") return undefined;
  return process.getBuiltinModule("node:os").availableParallelism() > 1 ? setImmediate : undefined;
}

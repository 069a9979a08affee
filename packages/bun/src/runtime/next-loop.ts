import type { NextLoop } from "@acp/host";

/** `undefined` where this process would keep its peer from running. */
export function nextLoop(): NextLoop | undefined {
  return navigator.hardwareConcurrency > 1 ? setImmediate : undefined;
}

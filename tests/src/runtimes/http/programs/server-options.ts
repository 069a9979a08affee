import process from "node:process";

import type { HttpServerLimits } from "@acp/http";

/** The limits that a program was started with. */
export function readOptions(): HttpServerLimits {
  return JSON.parse(process.argv[2] ?? "{}") as HttpServerLimits;
}

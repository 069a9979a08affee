import type { ShowTools } from "@acp/ai";

import { displayOf } from "../../tools/join-tools.ts";
import { showTools } from "../../tools/show-tools.ts";
import { taskDisplays } from "../subagents/task-tool.ts";

/** How the calls of earlier turns look, whose tools are no longer there. Paths are shown relative to `cwd`. */
export function showCalls(cwd: string): ShowTools {
  const places = [showTools(cwd), taskDisplays];
  return (name) => places.map((show) => displayOf(show, name)).find((display) => display !== undefined);
}

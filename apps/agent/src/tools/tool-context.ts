import type { ToolDisplay } from "@acp/ai";
import type { Tool } from "ai";

import type { Workspace } from "../workspace/workspace.ts";
import type { ToolAccess } from "./agent-tools.ts";
import type { SeenFiles } from "./files/seen-files.ts";

/** What the tools of a turn work with. */
export interface ToolContext {
  readonly workspace: Workspace;
  /** What the model has seen in this session. */
  readonly seenFiles: SeenFiles;
  /** The changes of files that this turn is making. A command that the model calls together with them waits for them. */
  readonly changes: Set<Promise<unknown>>;
  /** Whether the current model takes images. It may change in the middle of a turn. */
  readonly takesImages: () => boolean;
}

/** A tool, and what decides about permission for it. */
export interface AgentTool {
  readonly tool: Tool;
  readonly access: ToolAccess;
}

/** How the calls of a tool look, where paths are shown relative to `cwd`. */
export type CreateDisplay<Input> = (cwd: string) => ToolDisplay<Input>;

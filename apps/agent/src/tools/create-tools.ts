import type { AnyTurn } from "@acp/ai";

import type { AgentTools } from "./agent-tools.ts";
import { createEditTool } from "./changes/edit-tool.ts";
import { createWriteTool } from "./changes/write-tool.ts";
import { createListTool } from "./files/list-tool.ts";
import { createReadTool } from "./files/read-tool.ts";
import { createSearchTool } from "./files/search-tool.ts";
import { createRunTool } from "./run/run-tool.ts";
import { showTools } from "./show-tools.ts";
import type { AgentTool, ToolContext } from "./tool-context.ts";
import { createFetchTool } from "./web/fetch-tool.ts";
import type { Workspace } from "../workspace/workspace.ts";

/**
 * Creates the tools of a turn: for the files and commands of its workspace, and for the web.
 *
 * A tool is made of three things. The tool itself is for the model: what it does, what input it takes, and what it returns.
 * Its display (`show-tools.ts`) is for the user. Its access decides whether the user is asked.
 */
export function createTools(
  { workspace }: Pick<CoderTurn, "workspace">,
  { seenFiles, takesImages }: Pick<ToolContext, "seenFiles" | "takesImages">,
): AgentTools {
  const context: ToolContext = { workspace, seenFiles, takesImages, changes: new Set() };
  const made: readonly (readonly [string, AgentTool])[] = [
    ["read", createReadTool(context)],
    ["list", createListTool(context)],
    ["search", createSearchTool(context)],
    ["edit", createEditTool(context)],
    ["write", createWriteTool(context)],
    ["run", createRunTool(context)],
    ["fetch", createFetchTool(context)],
  ];
  return {
    tools: Object.fromEntries(made.map(([name, { tool }]) => [name, tool])),
    access: Object.fromEntries(made.map(([name, { access }]) => [name, access])),
    show: showTools(workspace.cwd),
  };
}

/** A turn of the coder as its tools see it, the same for both versions of the protocol. */
interface CoderTurn {
  /** The turn of the protocol: for `reportedCall`, and for updates such as a plan. */
  readonly turn: AnyTurn;
  readonly sessionId: string;
  /** The files and commands that the tools work with. */
  readonly workspace: Workspace;
  /** Aborts when the turn is cancelled. */
  readonly signal: AbortSignal;
}

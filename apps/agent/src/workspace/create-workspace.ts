import type { AnyTurn } from "@acp/ai";

import type { LocalSession } from "./local-session.ts";
import { createWorkspaceOfVersion1 } from "./v1.ts";
import { createWorkspaceOfVersion2 } from "./v2.ts";
import type { Workspace, WorkspaceOptions } from "./workspace.ts";

/** Creates the workspace of a turn, in the version of the protocol that the turn has. */
export function createWorkspace(turn: AnyTurn, session: LocalSession, options: WorkspaceOptions = {}): Workspace {
  // Only turns of version 2 ask for permission themselves.
  return "requestPermission" in turn
    ? createWorkspaceOfVersion2(turn, session, options)
    : createWorkspaceOfVersion1(turn, session, options);
}

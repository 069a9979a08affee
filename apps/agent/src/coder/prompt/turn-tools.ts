import type { AnyTurn } from "@acp/ai";

import { createMcpTools } from "../../mcp/mcp-tools.ts";
import type { AgentTools } from "../../tools/agent-tools.ts";
import { createTools } from "../../tools/create-tools.ts";
import { joinTools } from "../../tools/join-tools.ts";
import type { SeenFiles } from "../../tools/files/seen-files.ts";
import type { LocalSession } from "../../workspace/local-session.ts";
import { createWorkspace } from "../../workspace/create-workspace.ts";
import type { CoderOptions } from "../coder-options.ts";
import { recordOutput } from "../session/history.ts";
import type { CoderSession } from "../session/coder-session.ts";
import { chosenModel } from "../settings/session-settings.ts";

/** What the tools of a session work with. */
export interface ToolBox {
  readonly coder: CoderOptions;
  readonly session: CoderSession;
  /** The folders of the session, as the client has opened it. */
  readonly folders: LocalSession;
}

/** The tools for a turn. They work with the files and terminals of the client where it has them. */
export async function createTurnTools(
  { coder, session, folders }: ToolBox,
  turn: AnyTurn,
  seenFiles: SeenFiles,
): Promise<AgentTools> {
  const takesImages = (): boolean => chosenModel(coder.models, session.settings).takesImages;
  const isMain = turn.session.id === session.id;
  const workspace = createWorkspace(turn, folders, {
    withoutVariables: coder.secretVariables,
    ...(isMain ? { onClientTerminal: (callId, output) => recordOutput(session, callId, output) } : {}),
  });
  const own = createTools({ workspace }, { seenFiles, takesImages });
  return joinTools(own, await createMcpTools(session.mcp, turn, { takesImages }));
}

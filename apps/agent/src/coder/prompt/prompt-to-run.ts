import type { AnyTurn } from "@acp/ai";

import type { LocalSession } from "../../workspace/local-session.ts";
import type { CoderOptions } from "../coder-options.ts";
import type { Prompt } from "../commands/command.ts";
import type { CoderSession } from "../session/coder-session.ts";
import type { Subagent } from "../subagents/task-tool.ts";

/** A prompt that came, and what it takes to answer it. */
export interface PromptToRun {
  readonly coder: CoderOptions;
  readonly session: CoderSession;
  readonly turn: AnyTurn;
  readonly prompt: Prompt;
  /** The folders of the session, as the client has opened it. */
  readonly folders: LocalSession;
  /** Tells the client the slash commands of the session. */
  announceCommands(): Promise<void>;
  /** Opens a session for a subagent, if the client shows such sessions. */
  openSubagent?(title: string, signal: AbortSignal): Promise<Subagent | undefined>;
}

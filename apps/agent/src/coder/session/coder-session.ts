import type { LanguageModelUsage, ModelMessage } from "ai";

import type { McpServers } from "../../mcp/mcp-servers.ts";
import type { SeenFiles } from "../../tools/files/seen-files.ts";
import type { Command } from "../commands/command.ts";
import type { Costs } from "../prompt/cost.ts";
import type { SessionSettings } from "../settings/session-settings.ts";
import type { SessionJournal } from "./session-journal.ts";

/** What the agent keeps of an open session, from one prompt to the next. */
export interface CoderSession {
  readonly id: string;
  /** The version of the protocol in which it was opened. */
  readonly version: 1 | 2;
  /** The conversation as the model knows it. Once it was compacted, it is shorter than what the user sees. */
  readonly messages: ModelMessage[];
  /** What the last request has taken, for an idea of how full the context is. `undefined` until there is one. */
  lastUsage: LanguageModelUsage | undefined;
  readonly settings: SessionSettings;
  readonly costs: Costs;
  /** What the model has read: it may not overwrite anything else. */
  readonly seenFiles: SeenFiles;
  readonly mcp: McpServers;
  /** The slash commands, own ones and those from files. Read again before each prompt. */
  commands: readonly Command[];
  /** The journal, which survives the process. */
  readonly stored: SessionJournal;
}

import type { AnyTurn } from "@acp/ai";
import type { CompactionResult } from "../../context/compaction/compact.ts";
import type { McpServers } from "../../mcp/mcp-servers.ts";
import type { Received } from "@acp/schema/v1/types";

/** A slash command of a session. */
export interface Command {
  readonly name: string;
  readonly description: string;
  /** A placeholder for what follows the name. */
  readonly hint?: string | undefined;
  /**
   * Runs it. A command that returns a prompt has the model do the work; one that returns nothing has done it itself.
   * `input` is what follows the name.
   */
  run(input: string, context: CommandContext): Promise<string | undefined>;
}

/** What a command works with. */
export interface CommandContext {
  readonly turn: AnyTurn;
  readonly commands: readonly Command[];
  readonly mcp: McpServers;
  /** Has the model summarize the conversation, and goes on with the summary. Resolves with what has become of it. */
  compact(wish: string): Promise<CompactionResult>;
}

/** A prompt of either version: what they have in common is all that the agent reads. */
export type Prompt = readonly Received.ContentBlock[];

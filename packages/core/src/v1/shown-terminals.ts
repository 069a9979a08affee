import type { Received } from "@acp/schema/v1/types";
import { readTerminalMeta } from "./terminal-meta.ts";

type ToolCallReport = Pick<Received.ToolCallUpdate, "toolCallId" | "content" | "status" | "_meta">;

/** How many are remembered in a session, since the agent picks their ids. More are ignored. */
const maxCount = 10_000;

/**
 * The terminals that an agent shows in tool calls. One that the agent neither requested from this client nor reported has
 * nothing to show: the user would see no output, without a reason.
 */
export class ShownTerminals {
  /** Those that were created, and those that were reported. */
  readonly #known = new Set<string>();
  /** The calls that show an unknown terminal, by the id of the terminal. */
  readonly #unknown = new Map<string, string>();

  /** The agent requested a terminal from this client, or reported one of its own. */
  add(terminalId: string): void {
    if (this.#known.size < maxCount) this.#known.add(terminalId);
    this.#unknown.delete(terminalId);
  }

  /** Reads a report of a tool call. Returns how many unknown terminals a finished call has shown. */
  receive({ toolCallId, content, status, _meta }: ToolCallReport): number {
    for (const { terminalId } of readTerminalMeta(_meta, toolCallId)) this.add(terminalId);
    for (const item of content ?? []) {
      if (item.type !== "terminal" || this.#known.has(item.terminalId)) continue;
      if (this.#known.size + this.#unknown.size < maxCount) this.#unknown.set(item.terminalId, toolCallId);
    }
    return status === "completed" || status === "failed" ? this.take(toolCallId) : 0;
  }

  /** Returns how many terminals of a call or of all are unknown, and forgets them: each is reported once. */
  take(toolCallId?: string): number {
    let count = 0;
    for (const [terminalId, call] of this.#unknown) {
      if (toolCallId !== undefined && call !== toolCallId) continue;
      this.add(terminalId);
      count++;
    }
    return count;
  }
}

import type { ProxyPeer } from "@acp/proxy";
import type { TerminalExit } from "@acp/render";

import type { Terminal } from "#runtime";

import { watchTerminal } from "../../protocol/terminal-view.ts";
import { membersOf } from "../../text/json-text.ts";

/** How much of a terminal's output a client gets, in UTF-16 code units. */
const mostOutput = 4 * 1024 * 1024;
/** How much waits for a client that is slow. The start goes first. */
const mostWaiting = 256 * 1024;

/** How many terminals wait for a call that names them. The first goes first. */
const mostUnnamed = 100;

/** Shows clients the output of terminals that are lent to them. */
export interface LentOutput {
  /** A command has begun to run. */
  add(terminal: Terminal): void;
  /** The agent has sent an update of a session: once one of its calls names a terminal, that terminal is shown. */
  look(params: unknown): void;
}

/**
 * Reports the output as agents report that of their own terminals: in the custom data of the call that names the terminal.
 * Clients that do not know them leave them out.
 */
export function createLentOutput(client: () => ProxyPeer | undefined): LentOutput {
  const terminals = new Map<string, { readonly terminal: Terminal; readonly show: (toolCallId: string) => void }>();
  return {
    add(terminal) {
      const view = watchTerminal(terminal, terminal.command);
      const show = (toolCallId: string): void => {
        terminals.delete(terminal.id);
        const report = createReport(client, terminal, toolCallId);
        view.follow((text) => report(text, view.exit));
      };
      terminals.set(terminal.id, { terminal, show });
      const [first] = terminals.keys();
      if (terminals.size > mostUnnamed && first !== undefined) terminals.delete(first);
    },
    look(params) {
      if (terminals.size === 0) return;
      const { sessionId, update } = membersOf(params);
      const { toolCallId, content } = membersOf(update);
      if (typeof toolCallId !== "string" || !Array.isArray(content)) return;
      for (const item of content) {
        const { type, terminalId } = membersOf(item);
        const known = type === "terminal" ? terminals.get(String(terminalId)) : undefined;
        if (known?.terminal.sessionId === sessionId) known?.show(toolCallId);
      }
    },
  };
}

/** Sends what a terminal prints, one message at a time. */
function createReport(
  client: () => ProxyPeer | undefined,
  { id, sessionId, cwd }: Terminal,
  toolCallId: string,
): (text: string, exit: TerminalExit | undefined) => void {
  let waiting = "";
  let left = mostOutput;
  let exit: TerminalExit | undefined;
  let isBusy = false;
  let isBegun = false;
  /** What to report next; `undefined` for nothing. */
  const next = (): object | undefined => {
    if (!isBegun) {
      isBegun = true;
      return { terminal_info: { terminal_id: id, ...(cwd !== undefined && { cwd }) } };
    }
    if (waiting !== "") {
      const data = waiting;
      waiting = "";
      return { terminal_output: { terminal_id: id, data } };
    }
    if (exit === undefined) return undefined;
    const { exitCode = null, signal = null } = exit;
    exit = undefined;
    return { terminal_exit: { terminal_id: id, exit_code: exitCode, signal } };
  };
  const run = async (): Promise<void> => {
    if (isBusy) return;
    isBusy = true;
    for (let report = next(); report !== undefined; report = next()) {
      const update = { sessionUpdate: "tool_call_update", toolCallId, _meta: report };
      await client()?.notify("session/update", { sessionId, update });
    }
    isBusy = false;
  };
  return (text, ended) => {
    exit = ended;
    const part = text.slice(0, left);
    left -= part.length;
    if (part !== text && part !== "") waiting += `${part}\r\n[More output is not shown here.]\r\n`;
    else waiting += part;
    if (waiting.length > mostWaiting) waiting = `[Some output is left out.]\r\n${waiting.slice(-mostWaiting)}`;
    // A client that has gone needs nothing more.
    void run().catch(() => {});
  };
}

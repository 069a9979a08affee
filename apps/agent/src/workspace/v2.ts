import { reportedCall } from "@acp/ai";
import { type AnyTurn, diff, runCommand } from "@acp/core/v2/agent";

import { limitPending } from "./limit-pending.ts";
import { outputByteLimit, runLocalCommand } from "./local-command.ts";
import { readLocalFile, writeLocalFile } from "./local-files.ts";
import type { LocalSession } from "./local-session.ts";
import type { Workspace, WorkspaceOptions } from "./workspace.ts";

/** The workspace of a turn in version 2, in which clients offer neither files nor terminals: all of it is of this machine. */
export function createWorkspaceOfVersion2(
  turn: AnyTurn,
  session: LocalSession,
  { withoutVariables }: WorkspaceOptions,
): Workspace {
  const { signal } = turn;
  return {
    cwd: session.cwd,
    directories: [session.cwd, ...session.additionalDirectories],
    signal,
    readText: (path, range) => readLocalFile(session, path, signal, range),
    async writeText(path, text) {
      signal.throwIfAborted();
      await writeLocalFile(session, path, text);
    },
    async runCommand(toolCallId, { line, timeout }) {
      const call = await reportedCall(turn, toolCallId);
      return runCommand(turn, {
        call,
        command: line,
        timeout,
        outputByteLimit,
        // The user can end the command alone: the signal is not only that of the turn.
        run: ({ signal: end, output }) =>
          runLocalCommand(
            session,
            { command: line, args: [] },
            { signal: end, isShellLine: true, withoutVariables, onOutput: limitPending(output) },
          ),
      });
    },
    async showChange(toolCallId, change) {
      const call = await reportedCall(turn, toolCallId);
      const { path, line } = change;
      await call.update({ content: [diff(change)], locations: [{ path, ...(line === undefined ? {} : { line }) }] });
    },
  };
}

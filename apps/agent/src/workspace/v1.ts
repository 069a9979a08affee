import { reportedCall } from "@acp/ai";
import { RequestError } from "@acp/core";
import { type AnyTurn, diff, readTextFile, reportTerminal, runCommand, writeTextFile } from "@acp/core/agent";

import { shellCommand } from "./command-line.ts";
import { isOnDisk } from "./existing-text.ts";
import { limitPending } from "./limit-pending.ts";
import { outputByteLimit, runLocalCommand } from "./local-command.ts";
import { type LineRange, readLocalFile, writeLocalFile } from "./local-files.ts";
import type { LocalSession } from "./local-session.ts";
import type { CommandOutcome, Workspace, WorkspaceCommand, WorkspaceOptions } from "./workspace.ts";

/**
 * The workspace of a turn in version 1. Each part of it is of the client if the client has it (FS-02, TERM-02), and else of
 * this machine: some clients read files but do not write them, or have files but no terminals.
 */
export function createWorkspaceOfVersion1(turn: AnyTurn, session: LocalSession, options: WorkspaceOptions): Workspace {
  const { signal } = turn;
  const { fs, terminal } = turn.session.client.capabilities;
  return {
    cwd: session.cwd,
    directories: [session.cwd, ...session.additionalDirectories],
    signal,
    readText: (path, range) =>
      fs?.readTextFile === true ? readFileOfClient(turn, path, range) : readLocalFile(session, path, signal, range),
    async writeText(path, text) {
      signal.throwIfAborted();
      await (fs?.writeTextFile === true ? writeTextFile(turn, path, text) : writeLocalFile(session, path, text));
    },
    async runCommand(toolCallId, command) {
      if (terminal !== true) return runOwnCommand(turn, session, toolCallId, command, options);
      const call = await reportedCall(turn, toolCallId);
      const { line, timeout } = command;
      // The client gives its own environment to its terminals, and can only be asked to replace variables.
      const env = Object.fromEntries((options.withoutVariables ?? []).map((name) => [name, ""]));
      const outcome = await runCommand(turn, { ...shellCommand(line), env, call, timeout, outputByteLimit });
      await options.onClientTerminal?.(call.id, outcome.output);
      return outcome;
    },
    async showChange(toolCallId, change) {
      const call = await reportedCall(turn, toolCallId);
      const { path, line } = change;
      await call.update({ content: [diff(change)], locations: [{ path, ...(line === undefined ? {} : { line }) }] });
    },
  };
}

/** Reads a file of the client, whose answer includes unsaved changes (FS-03). */
async function readFileOfClient(turn: AnyTurn, path: string, range?: LineRange): Promise<string> {
  const text = await readTextFile(turn, path, range);
  // Some clients answer with an empty text if the file does not exist.
  if (text === "" && !(await isOnDisk(path))) throw RequestError.resourceNotFound(`There is no file ${path}`);
  return text;
}

/** Runs a command of this machine. Clients that can show it as a terminal show its output live, others at its end. */
async function runOwnCommand(
  turn: AnyTurn,
  session: LocalSession,
  toolCallId: string,
  { line, timeout }: WorkspaceCommand,
  { withoutVariables }: WorkspaceOptions,
): Promise<CommandOutcome> {
  const { signal } = turn;
  const call = await reportedCall(turn, toolCallId);
  const terminal = await reportTerminal(turn, { call });
  const outcome = await runLocalCommand(
    session,
    { command: line, args: [] },
    {
      signal,
      timeout,
      isShellLine: true,
      withoutVariables,
      onOutput: limitPending((bytes) => terminal.output(bytes)),
    },
  );
  signal.throwIfAborted();
  await terminal.exited(outcome);
  return outcome;
}

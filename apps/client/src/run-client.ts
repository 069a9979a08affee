import { text } from "node:stream/consumers";

import type { ClientSession, ConnectedAgent } from "@acp/core";

import { CommandLineError, type RunOptions } from "./command-line.ts";
import { ExitCode, exitCodeOf } from "./exit-code.ts";
import { describeFailure } from "./failure.ts";
import { createReferenceClient } from "./reference-client.ts";
import { spawnAgent } from "#runtime";
import type { Streams } from "./streams.ts";
import { openTraceFile } from "./trace-file.ts";
import { printableLine } from "./transcript/printable.ts";
import { UserInterface } from "./user-interface.ts";

/**
 * Starts the agent, opens a session, and runs one prompt or many. Returns the exit code.
 *
 * @throws {CommandLineError} if there is nothing to prompt.
 */
export async function runClient(options: RunOptions, streams: Streams): Promise<number> {
  const readsPrompts = options.prompt === undefined && (options.interactive || streams.input.isTTY === true);
  const prompt = readsPrompts ? undefined : (options.prompt ?? (await promptFromInput(streams)));
  const ui = new UserInterface(options, streams, readsPrompts);
  const pressed = (): void => ui.interrupts.press();
  process.on("SIGINT", pressed);
  try {
    return await connectAndRun(options, ui, prompt);
  } catch (error) {
    if (ui.quit.aborted) return ExitCode.cancelled;
    ui.fail(describeFailure(error));
    return ExitCode.failure;
  } finally {
    process.off("SIGINT", pressed);
    ui.close();
  }
}

async function promptFromInput({ input }: Streams): Promise<string> {
  const prompt = (await text(input)).trim();
  if (prompt === "") throw new CommandLineError("There is no prompt: neither --prompt nor anything on stdin");
  return prompt;
}

async function connectAndRun(options: RunOptions, ui: UserInterface, prompt: string | undefined): Promise<number> {
  const { agent: program, framing, verbose } = options;
  const trace = options.trace === undefined ? undefined : await openTraceFile(options.trace);
  try {
    const agent = await spawnAgent(createReferenceClient(ui.events), {
      ...program,
      framing,
      signal: ui.quit,
      ...(trace === undefined ? {} : { onTraffic: (direction, message) => trace.write(direction, message) }),
      ...(verbose
        ? {
            onDiagnostic: ({ level, type, message }) => ui.detail(`[${level}] ${type}: ${message}`),
            onStderr: (line) => ui.detail(`[agent] ${line}`),
          }
        : {}),
    });
    try {
      return await ui.unlessQuit(runSession(agent, options, ui, prompt));
    } finally {
      await agent.close();
    }
  } finally {
    await trace?.close();
  }
}

async function runSession(
  agent: ConnectedAgent,
  options: RunOptions,
  ui: UserInterface,
  prompt: string | undefined,
): Promise<number> {
  const { title, name = "An agent without a name", version } = agent.info ?? {};
  ui.transcript.note(
    [
      `${printableLine(title ?? name)} ${printableLine(version ?? "")}`.trim(),
      `ACP ${agent.protocolVersion}`,
      options.cwd,
    ].join(" · "),
  );
  let session: ClientSession;
  try {
    session = await openSession(agent, options);
  } catch (error) {
    ui.fail(describeFailure(error, agent.authMethods));
    return ExitCode.failure;
  }
  if (prompt === undefined) return runPrompts(agent, session, ui);
  ui.transcript.prompt(prompt);
  return runTurn(session, ui, prompt);
}

async function openSession(agent: ConnectedAgent, { cwd, load, login, mode }: RunOptions): Promise<ClientSession> {
  if (login !== undefined) await agent.authenticate(login);
  const session =
    load === undefined ? await agent.newSession({ cwd }) : await agent.loadSession({ sessionId: load, cwd });
  if (mode !== undefined) await session.setMode(mode);
  return session;
}

/** One prompt after another, until the user has no more. */
async function runPrompts(agent: ConnectedAgent, session: ClientSession, ui: UserInterface): Promise<number> {
  await ui.commands.settled();
  const commands = ui.commands.describe();
  ui.transcript.note(`Session ${printableLine(session.id)}${commands === "" ? "" : `\nCommands: ${commands}  /quit`}`);
  for (;;) {
    // One turn after another is the point.
    const prompt = await ui.nextPrompt(agent.signal);
    if (prompt === undefined) return ExitCode.endTurn;
    try {
      await runTurn(session, ui, prompt);
    } catch (error) {
      // As long as the agent is there, the user can go on.
      if (agent.signal.aborted) throw error;
      ui.fail(describeFailure(error, agent.authMethods));
    }
  }
}

async function runTurn(session: ClientSession, ui: UserInterface, prompt: string): Promise<number> {
  const started = performance.now();
  const turn = session.prompt(prompt);
  const ended = ui.interrupts.during(() => {
    turn.cancel();
    ui.transcript.cancelled();
  });
  try {
    const { stopReason } = await ui.unlessQuit(turn.response);
    ui.transcript.end(stopReason, performance.now() - started);
    return exitCodeOf(stopReason);
  } finally {
    ended();
  }
}

import { constants } from "node:os";

import { ProcessExitError } from "@acp/core";
import { redactCredentials } from "@acp/core/record";
import { type ProcessExit, ProcessStartError, serveStdio } from "#runtime";

import type { TapSettings } from "../command-line.ts";
import { Log } from "../log/log.ts";
import { shownText } from "../log/shown.ts";
import { type LineFile, linesTo, openLineFile } from "./line-file.ts";
import { maxMessageBytes, openAgent } from "./open-agent.ts";
import { createRelay } from "./relay.ts";
import { createTraffic, type Traffic } from "./traffic.ts";

/** Starts the agent, stands between it and the client on stdin and stdout, and returns the exit code. */
export async function tap(settings: TapSettings): Promise<number> {
  const stderr = linesTo(process.stderr);
  const log = settings.log === undefined ? stderr : await openLineFile(settings.log);
  const recording = settings.record === undefined ? undefined : await openLineFile(settings.record);
  const { withSecrets, stable, isFull } = settings;
  const traffic = createTraffic({
    log: new Log({ write: log.write, isFull }),
    record: (entry) => recording?.write(JSON.stringify(entry)),
    written: () => Promise.all([log.close(), recording?.close()]),
    withSecrets,
    stable,
  });
  log.write(headline(settings));
  try {
    return await relay(settings, traffic, log === stderr ? undefined : stderr);
  } finally {
    await traffic.end();
  }
}

/** When and what: a log may be that of several connections. */
function headline({ agent, withSecrets }: TapSettings): string {
  const shown = "command" in agent ? agent : { command: agent.url, args: [] };
  const { command, args } = (withSecrets ? shown : redactCredentials(shown)) as typeof shown;
  return `# ${new Date().toISOString()} ${shownText([command, ...args].join(" "), true)}`;
}

/** `stderr` takes what the agent writes to its own, if that is not where the log goes. */
async function relay(settings: TapSettings, traffic: Traffic, stderr: LineFile | undefined): Promise<number> {
  const stopped = new AbortController();
  let exitCode = 0;
  try {
    const { transport, process: agent } = await openAgent(settings, (line) => {
      traffic.note("agent", `stderr: ${line}`);
      stderr?.write(line);
    });
    // The agent is told by the same signal; serving ends with it, and the process with the agent's status.
    const forget = onSignals((signal) => {
      if (agent !== undefined) tell(agent.pid, signal);
      stopped.abort();
    });
    const definition = createRelay(transport, {
      ...traffic,
      async ended(reason) {
        const exit = await agent?.exited;
        exitCode = exit === undefined ? Number(reason !== undefined) : exitCodeOf(exit);
        const isOfExit = reason === undefined || reason instanceof ProcessExitError;
        traffic.note("agent", isOfExit ? describeExit(exit) : `! ${reason.message}`);
        if (exit === undefined && reason !== undefined) stderr?.write(`acp-inspect: ${reason.message}`);
        await traffic.end();
      },
    });
    await serveStdio(definition, { framing: settings.framing, maxMessageBytes, signal: stopped.signal });
    forget();
    return exitCode;
  } catch (error) {
    if (!(error instanceof ProcessStartError)) throw error;
    traffic.note("agent", `! ${error.message}`);
    stderr?.write(`acp-inspect: ${error.message}`);
    return 127;
  }
}

function tell(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}

/** Calls `listener` for each signal that asks this process to end. Returns a function that stops it. */
function onSignals(listener: (signal: NodeJS.Signals) => void): () => void {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, listener);
  return () => {
    for (const signal of signals) process.off(signal, listener);
  };
}

/** `undefined` for an agent that is served elsewhere. */
function describeExit(exit: ProcessExit | undefined): string {
  if (exit === undefined) return "the connection has ended";
  const { exitCode, signal } = exit;
  return exitCode === null ? `was ended by ${signal ?? "nobody knows what"}` : `ended with exit code ${exitCode}`;
}

/** As a shell has it. */
function exitCodeOf({ exitCode, signal }: ProcessExit): number {
  return exitCode ?? 128 + (constants.signals[signal as NodeJS.Signals] ?? 0);
}

import { constants } from "node:os";

import { type Awaitable, ProcessExitError } from "@acp/core";
import { type ProcessExit, ProcessStartError, serveStdio } from "#runtime";

import type { TapSettings } from "../command-line.ts";
import { type LineFile, linesTo, openLineFile } from "../log/line-file.ts";
import { Log } from "../log/log.ts";
import { createRedaction } from "../log/redaction.ts";
import { shownText } from "../log/shown.ts";
import { startLiveServer } from "../web/live-server.ts";
import { maxMessageBytes, openAgent } from "./open-agent.ts";
import { createRelay } from "./relay.ts";
import { onEndingSignals, sendSignal } from "./signals.ts";
import { createTraffic, type Traffic } from "./traffic.ts";

/** How long the client may take to read the agent's last messages, in milliseconds. */
const lastWords = 1_000;
/** How long an agent may take to end after a forwarded signal, in milliseconds. */
const signalGrace = 500;

/**
 * Starts the agent, relays between it and the client on stdin and stdout, and returns the exit code. `name` is how messages on
 * stderr call this program.
 */
export async function tap(settings: TapSettings, name: string): Promise<number> {
  const stderr = linesTo(process.stderr);
  const failed = (error: Error): void => stderr.write(`${name}: ${error.message}`);
  const log = await openLog(settings.log, stderr, failed);
  const recording =
    settings.record === undefined ? undefined : await openLineFile(settings.record, { flags: "w", failed });
  const redaction = createRedaction(settings.withSecrets);
  const page = settings.web === true ? await startLiveServer(settings, "Live ACP trace") : undefined;
  // Not into the log: whoever has the address can read along.
  if (page !== undefined) stderr.write(`${name}: the messages are at ${page.url}`);
  const traffic = createTraffic({
    log: new Log({ write: log.write, isFull: settings.isFull, redaction }),
    record: (entry) => recording?.write(JSON.stringify(entry)),
    trace: page?.add,
    withSecrets: settings.withSecrets,
    stable: settings.stable,
  });
  log.write(headline(settings, redaction.message));
  try {
    return await relay(settings, traffic, { stderr: log === stderr ? undefined : stderr, name });
  } finally {
    traffic.end();
    await Promise.all([log.close(), recording?.close(), page?.close()]);
  }
}

function openLog(path: TapSettings["log"], stderr: LineFile, failed: (error: Error) => void): Awaitable<LineFile> {
  if (path === undefined) return stderr;
  return path === false ? { write: () => {}, close: async () => {} } : openLineFile(path, { flags: "a", failed });
}

/** The time and the command: a log may hold several connections. */
function headline({ agent }: TapSettings, redacted: (message: unknown) => unknown): string {
  const shown = "command" in agent ? agent : { command: agent.url, args: [] };
  const { command, args } = redacted(shown) as typeof shown;
  return `# ${new Date().toISOString()} ${shownText([command, ...args].join(" "), true)}`;
}

/** `stderr` receives the agent's stderr, unless the log goes there. */
async function relay(
  settings: TapSettings,
  traffic: Traffic,
  { stderr, name }: { readonly stderr: LineFile | undefined; readonly name: string },
): Promise<number> {
  const agent = await openAgent(settings, (line) => {
    traffic.stderr(line);
    stderr?.write(line);
  }).catch((error: unknown) => {
    if (!(error instanceof ProcessStartError)) throw error;
    traffic.note("agent", `! ${error.message}`);
    stderr?.write(`${name}: ${error.message}`);
  });
  if (agent === undefined) return 127;
  const program = "process" in agent ? agent.process : undefined;
  const stopped = new AbortController();
  // The agent gets the same signal, and the exit status is the agent's.
  const forget = onEndingSignals((signal) => {
    if (program !== undefined) sendSignal(program.pid, signal);
    stopped.abort();
    if ("process" in agent) setTimeout(() => void agent.close("now"), signalGrace);
  });
  const { promise: ended, resolve: end } = withResolvers<Error | undefined>();
  const options = { framing: settings.framing, maxMessageBytes, signal: stopped.signal, exitGrace: Infinity };
  const served = serveStdio(createRelay(agent, { ...traffic, ended: end }), options);
  const reason = await ended;
  // A client that no longer reads delays nobody.
  await Promise.race([served, new Promise((resolve) => setTimeout(resolve, lastWords))]);
  forget();
  const exit = await program?.exited;
  if (reason !== undefined && !(reason instanceof ProcessExitError)) {
    traffic.note("agent", `! ${reason.message}`);
    if (exit === undefined) stderr?.write(`${name}: ${reason.message}`);
  }
  traffic.note("agent", exit === undefined ? "the connection has ended" : describeExit(exit));
  return exit === undefined ? Number(reason !== undefined) : exitCodeOf(exit);
}

function withResolvers<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => (resolve = settle));
  return { promise, resolve };
}

function describeExit({ exitCode, signal }: ProcessExit): string {
  return exitCode === null ? `was ended by ${signal ?? "nobody knows what"}` : `ended with exit code ${exitCode}`;
}

/** The status that a shell would return. */
function exitCodeOf({ exitCode, signal }: ProcessExit): number {
  return exitCode ?? 128 + (constants.signals[signal as NodeJS.Signals] ?? 0);
}

import {
  type ByteTransportOptions,
  type ClientConnector,
  type ConnectedAgent,
  ConnectionClosedError,
  createByteTransport,
  type DiagnosticListener,
  type MetaOptions,
  TimeoutError,
  UsageError,
} from "@acp/core";

import { createTerminalLogin, type TerminalLoginOptions } from "../login/terminal-login.ts";
import { failedProcess, processMessage, quoteStderr } from "../process/exit-message.ts";
import { superviseProcess, type ProcessOptions, type SupervisedProcess } from "../process/supervise-process.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { requireCommand, requireDefinition, requireRuntime } from "../usage.ts";
import { type AgentProcess, agentProcess } from "./agent-process.ts";
import { findLoginMethod } from "./login-method.ts";
import { RunningLogins } from "./running-logins.ts";
import { limitStart, type StartLimit } from "./start-limit.ts";
import { StrayOutput } from "./stray-output.ts";
import { timeLimit } from "../within.ts";

const defaultStartTimeout = 60_000;
/** Even where the runtime lacks it, as that of a connected agent. */
const asyncDispose: typeof Symbol.asyncDispose =
  Symbol.asyncDispose ?? (Symbol.for("Symbol.asyncDispose") as typeof Symbol.asyncDispose);

/** Options of {@link SpawnAgent}. `_meta` is sent with `initialize`. */
export interface SpawnAgentOptions extends ProcessOptions, ByteTransportOptions, MetaOptions {
  /**
   * How long the process may take to start and to respond to `initialize`, in milliseconds. Default: 60,000. `Infinity`
   * for no limit.
   */
  readonly startTimeout?: number | undefined;
  /**
   * Abort it to stop starting the agent: `spawnAgent` then rejects with its reason. It has no effect once the agent is
   * connected.
   */
  readonly signal?: AbortSignal | undefined;
  /** Receives the diagnostics of this connection. Default: the client's own listener receives them. */
  readonly onDiagnostic?: DiagnosticListener | undefined;
}

/** The part of a connected agent that {@link SpawnAgent} uses, in any protocol version. */
export interface SpawnableAgent {
  readonly authMethods: readonly object[];
  authenticate(methodId: string, options?: { readonly signal?: AbortSignal | undefined }): Promise<void>;
  close(): Promise<void>;
}

/** The result of a client's `connect`: an agent, or an agent and the version that it speaks. */
type Spawnable = SpawnableAgent | { readonly version: number; readonly agent: SpawnableAgent };

/** A connected agent and its process. For a protocol with extensions, use `SpawnedAgent<ConnectedAgent<A, C>>`. */
export type SpawnedAgent<Agent = ConnectedAgent> = Agent & AgentLaunch<Agent>;

/**
 * The result of {@link SpawnAgent}: the agent and its process. If the client supports several versions, also the
 * version.
 */
export type Spawned<Connected> = Connected extends { readonly version: infer Version; readonly agent: infer Agent }
  ? { readonly version: Version; readonly agent: SpawnedAgent<Agent> }
  : SpawnedAgent<Connected>;

/** The additional members of a connected agent that `spawnAgent` started. */
export interface AgentLaunch<Agent = ConnectedAgent> {
  /** The process of the agent. */
  readonly process: AgentProcess;
  /**
   * Logs in with one of the agent's `authMethods`, of any type. Resolves with the agent to continue with.
   *
   * For type `agent`, this calls `authenticate` and returns the same agent. For type `terminal`, it runs the agent's
   * program again so that the user can log in (AUTH-12). If the login succeeds, it closes this agent with its sessions
   * and returns a new agent, in a new process (AUTH-14). If it fails, this agent keeps running.
   *
   * If you close this agent during a login in a terminal, the program ends and no new agent starts. If the agent's
   * process died by itself, the login still returns a new agent.
   *
   * @throws {ConnectionClosedError} if this agent is closed.
   * @throws {LoginError} if the program in the terminal ended with a status other than 0 (AUTH-13).
   * @throws {UsageError} if the agent does not offer the method.
   * @throws the reason of `signal` after it aborts.
   * @throws the errors of `authenticate` and {@link SpawnAgent}.
   */
  login(methodId: string, options?: TerminalLoginOptions): Promise<SpawnedAgent<Agent>>;
}

/** The type of `spawnAgent`. Editors show the comment on its call signature. */
export interface SpawnAgent {
  /**
   * Starts an agent and connects a client to it over stdio (TRAN-03). Closing the agent ends its process and every
   * process in its process group. If the process ends by itself, pending calls reject with a {@link ProcessExitError}
   * that describes its end and quotes its stderr.
   *
   * If the agent cannot be started or does not respond to `initialize`, its process is ended before the promise
   * rejects. The error's `cause` quotes the agent's stdout.
   *
   * @throws {ProcessStartError} if the process cannot be started.
   * @throws {ProcessExitError} if the process ends before it responds to `initialize`.
   * @throws {TimeoutError} if `startTimeout` runs out (phase `start` or `initialize`).
   * @throws {UsageError} if the client or the command is missing, a time limit is not a number of milliseconds from 0
   * or `Infinity`, or the version of Deno or Bun is too old.
   * @throws the reason of `signal` after it aborts, and any error of the client's `connect`.
   */
  <Connected extends Spawnable>(
    client: ClientConnector<Connected>,
    options: SpawnAgentOptions,
  ): Promise<Spawned<Connected>>;
}

/** Creates {@link SpawnAgent} for a runtime. */
export function createSpawnAgent(runtime: Runtime): SpawnAgent {
  requireRuntime(runtime, "createSpawnAgent");
  return (client, options) => spawnAgent(runtime, client, options);
}

async function spawnAgent<Connected extends Spawnable>(
  runtime: Runtime,
  client: ClientConnector<Connected>,
  options: SpawnAgentOptions,
): Promise<Spawned<Connected>> {
  requireDefinition(client, "Client");
  requireCommand(options);
  const startTimeout = timeLimit("startTimeout", options.startTimeout ?? defaultStartTimeout);
  options.signal?.throwIfAborted();
  let process: SupervisedProcess | undefined;
  const limit = limitStart(startTimeout, options.signal, () => startTimedOut(startTimeout, process, options));
  const starting = superviseProcess(runtime, options);
  const stray = new StrayOutput();
  const onDiagnostic = stray.listener(options.onDiagnostic ?? client.onDiagnostic);
  try {
    process = await Promise.race([starting, limit.exceeded]);
    const connected = await Promise.race([
      connect(client, process, limit, { ...options, onDiagnostic }),
      limit.exceeded,
    ]);
    const agent: SpawnableAgent = "agent" in connected ? connected.agent : connected;
    const disconnect = agent.close.bind(agent);
    const logins = new RunningLogins();
    const close = async (): Promise<void> => {
      await Promise.all([logins.end(), disconnect()]);
    };
    Object.assign(agent, {
      process: agentProcess(process),
      login: async (methodId: string, login?: TerminalLoginOptions) => {
        const found = findLoginMethod(agent.authMethods, methodId);
        if (found === undefined) throw new UsageError(`The agent offers no login '${methodId}'`);
        if (found.type !== "terminal") {
          await agent.authenticate(methodId, { signal: login?.signal });
          return agent;
        }
        return logins.run(login?.signal, async (signal) => {
          await createTerminalLogin(runtime)(found.method, options, { ...login, signal });
          await disconnect();
          // The signal of the first start does not apply to this one.
          const again = await spawnAgent(runtime, client, { ...options, signal });
          return "agent" in again ? again.agent : again;
        });
      },
      close,
      [asyncDispose]: close,
    });
    // The assigned members are the ones of `Spawned`.
    return connected as unknown as Spawned<Connected>;
  } catch (error) {
    const started = process ?? (await endedLater(starting));
    await started?.close("now");
    // The caller owns the reason of its signal: it may have started another agent with it.
    if (options.signal?.aborted === true && error === options.signal.reason) throw error;
    throw withOutput(error, started?.stderr() ?? "", stray.quote());
  } finally {
    limit.end();
  }
}

/** Performs the handshake. Closes the transport if the handshake fails. */
async function connect<Connected>(
  client: ClientConnector<Connected>,
  process: SupervisedProcess,
  limit: StartLimit,
  options: SpawnAgentOptions,
): Promise<Connected> {
  const transport = createByteTransport(process.pipe, options);
  try {
    return await client.connect(transport, {
      // The limit of `signal` started before the process was started.
      startTimeout: Infinity,
      signal: limit.signal,
      onDiagnostic: options.onDiagnostic,
      _meta: options._meta,
    });
  } catch (error) {
    await transport.close();
    throw error;
  }
}

/** Ends a process that is no longer needed as soon as it has started. */
async function endedLater(starting: Promise<SupervisedProcess>): Promise<undefined> {
  void starting.then((process) => process.close("now")).catch(() => {});
}

function startTimedOut(
  milliseconds: number,
  process: SupervisedProcess | undefined,
  options: SpawnAgentOptions,
): TimeoutError {
  const event = process === undefined ? "could not be started" : "did not answer initialize";
  const failed = failedProcess(options, process?.pid, `${event} within ${milliseconds} ms`, process?.stderr());
  const phase = process === undefined ? "start" : "initialize";
  return new TimeoutError(phase, milliseconds, processMessage("", failed), failed);
}

/** Adds the agent's output as the cause of a startup error. */
function withOutput(error: unknown, stderr: string, stdout: string): unknown {
  if (!(error instanceof Error) || error.cause !== undefined) return error;
  const isOurs = error instanceof ConnectionClosedError || error instanceof TimeoutError;
  const words = quoteStderr(stderr, isOurs ? error.process?.quoted : []) + stdout;
  if (words !== "") error.cause = new Error(words.trimStart());
  return error;
}

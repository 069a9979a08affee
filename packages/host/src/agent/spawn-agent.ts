import {
  type ByteTransportOptions,
  type ClientConnector,
  type ConnectedAgent,
  createByteTransport,
  type DiagnosticListener,
  type MetaOptions,
  TimeoutError,
  UsageError,
} from "@acp/core";

import { createTerminalLogin, type TerminalLoginOptions } from "../login/terminal-login.ts";
import { describeCommand, quoteStderr } from "../process/exit-message.ts";
import { superviseProcess, type ProcessOptions, type SupervisedProcess } from "../process/supervise-process.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { timeLimit } from "../time-limit.ts";
import { requireCommand, requireDefinition } from "../usage.ts";
import { type AgentProcess, agentProcess } from "./agent-process.ts";
import { findLoginMethod } from "./login-method.ts";
import { RunningLogins } from "./running-logins.ts";
import { limitStart, type StartLimit } from "./start-limit.ts";
import { StrayOutput } from "./stray-output.ts";

const defaultStartTimeout = 60_000;
/** Also where the runtime lacks it, as that of a connected agent. */
const asyncDispose: typeof Symbol.asyncDispose =
  Symbol.asyncDispose ?? (Symbol.for("Symbol.asyncDispose") as typeof Symbol.asyncDispose);

/** Options of {@link SpawnAgent}. `_meta` goes into `initialize`. */
export interface SpawnAgentOptions extends ProcessOptions, ByteTransportOptions, MetaOptions {
  /**
   * How long the process may take to start and to answer `initialize`, in milliseconds. Default: 60,000. `Infinity` for no
   * limit.
   */
  readonly startTimeout?: number | undefined;
  /** Gives up starting the agent: `spawnAgent` rejects with its reason. Without effect once the agent is connected. */
  readonly signal?: AbortSignal | undefined;
  /** Receives the diagnostics of this connection, instead of the client's own listener. */
  readonly onDiagnostic?: DiagnosticListener | undefined;
}

/** The part of a connected agent that {@link SpawnAgent} uses, in any version. */
export interface SpawnableAgent {
  readonly authMethods: readonly object[];
  authenticate(methodId: string, options?: { readonly signal?: AbortSignal | undefined }): Promise<void>;
  close(): Promise<void>;
}

/** What `connect` of a client resolves with: an agent, or an agent with the version that it speaks. */
type Spawnable = SpawnableAgent | { readonly version: number; readonly agent: SpawnableAgent };

/** A connected agent with its process. For a protocol with extensions: `SpawnedAgent<ConnectedAgent<A, C>>`. */
export type SpawnedAgent<Agent = ConnectedAgent> = Agent & AgentLaunch<Agent>;

/**
 * What {@link SpawnAgent} resolves with: the agent with its process, or, for a client of several versions, the version
 * with such an agent.
 */
export type Spawned<Connected> = Connected extends { readonly version: infer Version; readonly agent: infer Agent }
  ? { readonly version: Version; readonly agent: SpawnedAgent<Agent> }
  : SpawnedAgent<Connected>;

/** What a connected agent has in addition if it was started here. */
export interface AgentLaunch<Agent = ConnectedAgent> {
  /** The process of the agent. */
  readonly process: AgentProcess;
  /**
   * Logs in with one of the agent's `authMethods`, of any type. Resolves with the agent to continue with.
   *
   * For the type agent that is this agent, after `authenticate`. For the type terminal, the agent's program runs once
   * more for the user to log in (AUTH-12). If that succeeds, this agent is closed with its sessions, and the returned
   * agent is a new process (AUTH-14). If it fails, this agent lives on.
   *
   * If this agent is closed meanwhile, the program is ended and no new agent is started. If its process has died by
   * itself, a login in a terminal still returns a new agent.
   *
   * @throws {ConnectionClosedError} if this agent is closed.
   * @throws {LoginError} if the program in the terminal ended with another status than 0 (AUTH-13).
   * @throws {UsageError} if the agent offers no such method.
   * @throws the reason of `signal`, once it has aborted.
   * @throws what `authenticate` and {@link SpawnAgent} throw.
   */
  login(methodId: string, options?: TerminalLoginOptions): Promise<SpawnedAgent<Agent>>;
}

/** The type of `spawnAgent`. Editors look for the comment on its call. */
export interface SpawnAgent {
  /**
   * Starts an agent and connects a client with it over stdio (TRAN-03). Closing the agent ends its process and everything
   * that it started in its process group. If the process ends first, pending calls reject with a {@link ProcessExitError}
   * that says how, and quotes its stderr.
   *
   * If the agent cannot be started or does not answer `initialize`, its process is ended before the promise rejects. The
   * error's `cause` quotes what it has printed to stdout.
   *
   * @throws {ProcessStartError} if the process cannot be started.
   * @throws {ProcessExitError} if it ends before it has answered `initialize`.
   * @throws {TimeoutError} if `startTimeout` runs out (phase `start` or `initialize`).
   * @throws {UsageError} without a client or a command, for a time limit that is neither milliseconds from 0 on nor
   * `Infinity`, and on a version of Deno or Bun that is too old.
   * @throws the reason of `signal`, once it has aborted, and what `connect` of a client throws.
   */
  <Connected extends Spawnable>(
    client: ClientConnector<Connected>,
    options: SpawnAgentOptions,
  ): Promise<Spawned<Connected>>;
}

/** Creates {@link SpawnAgent} for a runtime. */
export function createSpawnAgent(runtime: Runtime): SpawnAgent {
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
    throw withOutput(error, quoteStderr(started?.stderr() ?? ""), stray.quote());
  } finally {
    limit.end();
  }
}

/** Performs the handshake. Closes the transport if it fails. */
async function connect<Connected>(
  client: ClientConnector<Connected>,
  process: SupervisedProcess,
  limit: StartLimit,
  options: SpawnAgentOptions,
): Promise<Connected> {
  const transport = createByteTransport(process.pipe, options);
  try {
    return await client.connect(transport, {
      // The limit of `signal` began before the process was started.
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

/** Ends a process that nobody wants any more as soon as it has started. */
async function endedLater(starting: Promise<SupervisedProcess>): Promise<undefined> {
  void starting.then((process) => process.close("now")).catch(() => {});
}

function startTimedOut(
  milliseconds: number,
  process: SupervisedProcess | undefined,
  { command, args = [] }: SpawnAgentOptions,
): TimeoutError {
  const name = describeCommand(command, args);
  if (process === undefined) {
    return new TimeoutError("start", milliseconds, `${name} could not be started within ${milliseconds} ms`);
  }
  const message = `${name} (pid ${process.pid}) did not answer initialize within ${milliseconds} ms`;
  return new TimeoutError("initialize", milliseconds, message + quoteStderr(process.stderr()));
}

/** Adds what the agent printed as the cause of an error at the start. */
function withOutput(error: unknown, stderr: string, stdout: string): unknown {
  if (!(error instanceof Error) || error.cause !== undefined) return error;
  const words = (error.message.includes(stderr) ? "" : stderr) + stdout;
  if (words !== "") error.cause = new Error(`What the agent reported${words}`);
  return error;
}

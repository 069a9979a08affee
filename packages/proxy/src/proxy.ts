import {
  type AgentConnection,
  type AgentDefinition,
  type Awaitable,
  ConnectionClosedError,
  type DiagnosticListener,
  type IncomingLimits,
  RequestError,
  type Transport,
  UsageError,
} from "@acp/core";
import {
  asyncDispose,
  type Connection,
  describeError,
  guardListener,
  incomingLimits,
  type IncomingRequest,
  type QueuedNotification,
} from "@acp/core/internal";
import { endReason } from "./end-reason.ts";
import { HeldPrompts } from "./held-prompts.ts";
import { Opening } from "./opening.ts";
import { peerAt, type ProxyPeer } from "./proxy-peer.ts";
import { Relay } from "./relay.ts";
import { callIntercept, type Decision, type Forward, passOn, type ProxyMessage, RelayEnd } from "./relay-end.ts";

/** The context of an intercept. */
export interface ProxyContext {
  /** The client, for the proxy's own messages. */
  readonly client: ProxyPeer;
  /** The agent, for the proxy's own messages. */
  readonly agent: ProxyPeer;
  /** Aborts when the sender cancels the request, or the connection with it ends. */
  readonly signal: AbortSignal;
}

/**
 * Decides about a message. For a request, the intercept returns the answer, or throws as any handler may. It may call
 * `forward` never, once or more often. A notification that it does not forward is discarded.
 */
export type Intercept = (message: ProxyMessage, forward: Forward, context: ProxyContext) => unknown;

/** Options of {@link createProxy}. */
export interface ProxyOptions extends IncomingLimits {
  /**
   * Opens the connection to the agent. Called once for each client, whose messages wait for it. `signal` aborts when the
   * client is gone.
   *
   * If it rejects, the error is reported as a diagnostic. The client's first request is answered with `-32603`, and the
   * connection with the client is closed. The answer contains the code of the operating system, such as `ENOENT`, but
   * nothing else of the error.
   */
  connect(options: { readonly signal: AbortSignal }): Awaitable<Transport>;
  /** Called with the client's requests and notifications. Default: passes all on. */
  readonly fromClient?: Intercept | undefined;
  /** Called with the agent's requests and notifications. Default: passes all on. */
  readonly fromAgent?: Intercept | undefined;
  /** Receives the diagnostics of both sides. Default: none, but `serveStdio` writes errors to stderr. */
  readonly onDiagnostic?: DiagnosticListener | undefined;
}

/**
 * Makes a proxy: an agent to the client, and a client to the agent. Serve it like an agent.
 *
 * The proxy speaks no version of the protocol. Params, results and errors pass as they came, with members, variants and
 * methods that it does not know (COMPAT, EXT), and with extra members of the message. Only numbers that JavaScript cannot
 * represent change: digits beyond the 16th are rounded, `-0` becomes `0`, and too large ones, such as `1e400`, become
 * `null`.
 *
 * Each connection has its own ids (also in `$/cancel_request`, and in questions that belong to a request) and size limits,
 * and refuses what is not a message. Messages of a session stay in order, and a slow receiver slows its sender down.
 * `session/cancel` passes a prompt that `fromClient` holds, and is sent once more after it. A later prompt waits until
 * `fromClient` has handled the cancellation.
 *
 * When the agent ends, the proxy passes on what it has received, for up to half a second, answers pending requests with
 * `-32603` and how the agent ended, and closes the connection with the client. When the client ends, pending requests have
 * a second to be answered before the proxy closes the connection with the agent.
 *
 * ```ts
 * const proxy = createProxy({
 *   connect: () => spawnTransport({ command: "my-agent" }),
 *   fromClient: (message, forward) => {
 *     console.error(message.method);
 *     return forward(message);
 *   },
 * });
 * await serveStdio(proxy);
 * ```
 *
 * @throws {UsageError} without the option `connect`, and for a limit that is neither a whole number from 1 on nor `Infinity`.
 */
export function createProxy(options: ProxyOptions): AgentDefinition {
  if (typeof options?.connect !== "function")
    throw new UsageError("A proxy needs the option `connect`: a function that opens the connection to the agent");
  incomingLimits(options);
  return {
    role: "agent",
    onDiagnostic: options.onDiagnostic,
    connect: (transport, connectOptions) =>
      connectProxy(transport, options, guardListener(connectOptions?.onDiagnostic ?? options.onDiagnostic)),
  };
}

/** One side of a proxy. */
class ProxySide extends Relay {
  readonly end: RelayEnd = new RelayEnd(this);

  request(request: IncomingRequest): unknown {
    return this.end.request(request, request.method, request.params);
  }

  notification({ method, params }: QueuedNotification): unknown {
    return this.end.notification(method, params);
  }
}

function connectProxy(transport: Transport, options: ProxyOptions, report: DiagnosticListener): AgentConnection {
  const { fromClient, fromAgent } = options;
  const limits = incomingLimits(options);
  const nearSide = new ProxySide({ transport, role: "agent", report, limits });
  const near = nearSide.connection;
  const ended = new AbortController();
  const prompts = new HeldPrompts();
  let far: Connection | undefined;
  /** Used once there is an agent. */
  let decide = passOn;
  let markAsked = (): void => {};
  const asked = new Promise<void>((resolve) => (markAsked = resolve));

  async function open(): Promise<void> {
    try {
      const farTransport = await options.connect({ signal: ended.signal });
      if (ended.signal.aborted) await farTransport.close();
      ended.signal.throwIfAborted();
      const farSide = new ProxySide({ transport: farTransport, role: "client", report, limits });
      const peers = { client: peerAt(nearSide.end), agent: peerAt(farSide.end) };
      if (fromAgent) farSide.end.decide = decisionOf(fromAgent, peers, farSide.connection);
      if (fromClient) {
        const own = decisionOf(fromClient, peers, near);
        decide = (message, forward, request) =>
          prompts.watch(message, forward, (passing) => own(message, passing, request));
      }
      farSide.end.endError = (reason) => RequestError.internalError(`The agent has ended${endReason(reason)}`);
      nearSide.end.join(farSide.end);
      far = farSide.connection;
      // It closes when its pending requests are answered.
      void far.closed.then(() => near.close());
      far.start();
    } catch (cause) {
      if (ended.signal.aborted) throw ended.signal.reason;
      const message = `The proxy has no connection with the agent: ${describeError(cause)}`;
      report({ type: "closed", level: "error", message, error: new ConnectionClosedError(message, { cause }) });
      // The first request gets the error before the connection closes.
      void asked.then(() => near.close());
      throw RequestError.internalError(`The agent could not be started${endReason(cause)}`);
    }
  }

  nearSide.end.endError = () => RequestError.internalError("The client is gone");
  const opening = new Opening(open());
  nearSide.end.decide = (message, forward, request) => {
    if (opening.isDone) return decide(message, forward, request);
    if (message.kind === "request") markAsked();
    return opening.wait(message, () => decide(message, forward, request));
  };
  near.start();

  async function untilClosed(): Promise<void> {
    // Pending requests may still be answered.
    await near.closed;
    ended.abort(near.signal.reason);
    void far?.close();
    await far?.closed;
  }
  const closed = untilClosed();
  const close = async (): Promise<void> => {
    await near.close();
    await closed;
  };
  return { closed, close, [asyncDispose]: close };
}

function decisionOf(intercept: Intercept, peers: Omit<ProxyContext, "signal">, connection: Connection): Decision {
  return (message, forward, request) => callIntercept(intercept, message, forward, peers, request ?? connection);
}

import {
  type AgentConnection,
  type AgentDefinition,
  type Awaitable,
  ConnectionClosedError,
  type DiagnosticListener,
  RequestError,
  type Transport,
  UsageError,
} from "@acp/core";
import { asyncDispose, type Connection, describeError, guardListener } from "@acp/core/internal";
import { endReason } from "./end-reason.ts";
import { HeldPrompts } from "./held-prompts.ts";
import { Opening } from "./opening.ts";
import { ProxyHalf } from "./proxy-half.ts";
import { peerAt, type ProxyPeer } from "./proxy-peer.ts";
import { type Decision, type Forward, passOn, type ProxyMessage } from "./relay-end.ts";

/** What an intercept gets beside the message. */
export interface ProxyContext {
  /** The client, for messages of the proxy's own. */
  readonly client: ProxyPeer;
  /** The agent, for messages of the proxy's own. */
  readonly agent: ProxyPeer;
  /** Aborts when the sender cancels the request, or the connection with it ends. */
  readonly signal: AbortSignal;
}

/**
 * Decides about a message. For a request, what it returns is the answer, and what it throws is answered as in any handler.
 * It may call `forward` never, once, or more often. A notification that it does not forward goes no further.
 */
export type Intercept = (message: ProxyMessage, forward: Forward, context: ProxyContext) => unknown;

/** Options of {@link createProxy}. */
export interface ProxyOptions {
  /**
   * Opens the connection to the agent: called once for each client, whose messages wait for it. `signal` aborts when that
   * client is gone.
   *
   * If it rejects, a diagnostic has the error. The client's first request is answered with `-32603`, and the connection
   * with the client is closed. That answer names the code of the operating system, such as `ENOENT`, and nothing else of
   * the error.
   */
  connect(options: { readonly signal: AbortSignal }): Awaitable<Transport>;
  /** Called with the client's requests and notifications. Default: all are passed on. */
  readonly fromClient?: Intercept | undefined;
  /** Called with the agent's requests and notifications. Default: all are passed on. */
  readonly fromAgent?: Intercept | undefined;
  /** Called with everything unusual on both sides. Default: nobody, but `serveStdio` writes errors to stderr. */
  readonly onDiagnostic?: DiagnosticListener | undefined;
}

/**
 * Makes a proxy: to the client it is an agent, to the agent a client. Serve it like an agent.
 *
 * It speaks no version of the protocol itself. Params, results and errors pass as they came, with members, variants and
 * methods that it does not know (COMPAT, EXT), and so do members beside them. Only numbers that JavaScript does not have
 * change: digits beyond the 16th are rounded, `-0` becomes `0`, and what is too large, such as `1e400`, becomes `null`.
 *
 * What belongs to JSON-RPC is each connection's own: ids (also in `$/cancel_request`, and in questions that belong to a
 * request), size limits, and refusing what is no message. The order of messages within a session is kept, and a slow
 * receiver slows its sender down. `session/cancel` does not wait for a prompt that `fromClient` holds: it goes on at once,
 * and once more behind the prompt. A prompt that comes behind it waits until `fromClient` is done with it.
 *
 * When the agent ends, requests without an answer are answered with `-32603` and how the agent has ended, and the
 * connection with the client is closed; what the agent has said before has half a second to be passed on. When the client
 * ends, requests that run have a second to be answered, and the connection with the agent is closed.
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
 * @throws {UsageError} without the option `connect`.
 */
export function createProxy(options: ProxyOptions): AgentDefinition {
  if (typeof options?.connect !== "function")
    throw new UsageError("A proxy needs the option `connect`: a function that opens the connection to the agent");
  return {
    role: "agent",
    onDiagnostic: options.onDiagnostic,
    connect: (transport, connectOptions) =>
      connectProxy(transport, options, guardListener(connectOptions?.onDiagnostic ?? options.onDiagnostic)),
  };
}

function connectProxy(transport: Transport, options: ProxyOptions, report: DiagnosticListener): AgentConnection {
  const { fromClient, fromAgent } = options;
  const half = new ProxyHalf({ transport, role: "agent", report });
  const near = half.connection;
  const ended = new AbortController();
  const prompts = new HeldPrompts();
  let far: Connection | undefined;
  /** Asked once there is an agent. */
  let decide = passOn;
  let markAsked = (): void => {};
  const asked = new Promise<void>((resolve) => (markAsked = resolve));

  async function open(): Promise<void> {
    try {
      const way = await options.connect({ signal: ended.signal });
      if (ended.signal.aborted) await way.close();
      ended.signal.throwIfAborted();
      const otherHalf = new ProxyHalf({ transport: way, role: "client", report });
      const peers = { client: peerAt(half.end), agent: peerAt(otherHalf.end) };
      if (fromAgent) otherHalf.end.decide = decisionOf(fromAgent, peers, otherHalf.connection);
      if (fromClient) {
        const own = decisionOf(fromClient, peers, near);
        decide = (message, forward, request) =>
          prompts.watch(message, forward, (passing) => own(message, passing, request));
      }
      otherHalf.end.gone = (reason) => RequestError.internalError(`The agent has ended${endReason(reason)}`);
      half.end.join(otherHalf.end);
      far = otherHalf.connection;
      // Once it has ended and what it ran is answered, the client has nobody to talk to.
      void far.closed.then(() => near.close());
      far.start();
    } catch (cause) {
      if (ended.signal.aborted) throw ended.signal.reason;
      const message = `The proxy has no connection with the agent: ${describeError(cause)}`;
      report({ type: "closed", level: "error", message, error: new ConnectionClosedError(message, { cause }) });
      // Whoever asks first is told, and then all is said.
      void asked.then(() => near.close());
      throw RequestError.internalError(`The agent could not be started${endReason(cause)}`);
    }
  }

  half.end.gone = () => RequestError.internalError("The client is gone");
  const opening = new Opening(open());
  half.end.decide = (message, forward, request) => {
    if (opening.isDone) return decide(message, forward, request);
    if (message.kind === "request") markAsked();
    return opening.wait(message, () => decide(message, forward, request));
  };
  near.start();

  async function untilClosed(): Promise<void> {
    // What runs may still be answered.
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
  return (message, forward, request) => {
    const source = request ?? connection;
    // Made when it is asked for, which most intercepts never do.
    return intercept(message, forward, {
      ...peers,
      get signal() {
        return source.signal;
      },
    });
  };
}

/**
 * Stands between a client and an agent, and passes on what it has never heard of.
 *
 * @module
 */
import type { Connection } from "../connection/connection.ts";
import { describeThrown } from "../connection/thrown.ts";
import { type DiagnosticListener, guardListener } from "../diagnostics.ts";
import { asyncDispose } from "../dispose.ts";
import { ConnectionClosedError, RequestError } from "../errors.ts";
import type { Awaitable } from "../protocol/methods.ts";
import type { Transport } from "../transport/transport.ts";
import type { AgentConnection, AgentDefinition } from "../v1/agent.ts";
import { endReason } from "./end-reason.ts";
import { HeldPrompts } from "./held-prompts.ts";
import { Opening } from "./opening.ts";
import { ProxyHalf } from "./proxy-half.ts";
import { peerAt, type ProxyPeer } from "./proxy-peer.ts";
import { type Decision, type Forward, passOn, type ProxyMessage } from "./relay-end.ts";

export type { ProxyPeer } from "./proxy-peer.ts";
export type { Forward, ProxyMessage } from "./relay-end.ts";

/** What an intercept has beside the message. */
export interface ProxyContext {
  readonly client: ProxyPeer;
  readonly agent: ProxyPeer;
  /** Aborts when the request is cancelled by who sent it, or the connection with it ends. */
  readonly signal: AbortSignal;
}

/**
 * Decides about a message: what it returns is the answer to a request, and what it throws is answered as from any
 * handler; `forward` may be called never or more than once. A notification that it does not pass on goes no further.
 */
export type Intercept = (message: ProxyMessage, forward: Forward, context: ProxyContext) => unknown;

export interface ProxyOptions {
  /**
   * Opens the way to the agent, once for each client, whose messages wait for it. `signal` aborts when that client is
   * gone.
   *
   * What it rejects with is a diagnostic; what the client asks first is answered with `-32603`, and the connection with it
   * is closed. That answer has no text of the error, but what operating systems call it, such as `ENOENT`.
   */
  connect(options: { readonly signal: AbortSignal }): Awaitable<Transport>;
  /** Sees the client's requests and notifications on their way. Default: all are passed on. */
  readonly fromClient?: Intercept | undefined;
  /** The same for the agent's. */
  readonly fromAgent?: Intercept | undefined;
  /** Told of everything unusual on both sides. */
  readonly onDiagnostic?: DiagnosticListener | undefined;
}

/**
 * Makes a proxy: an agent for the client, a client for the agent. It speaks no version of the protocol
 * itself: params, results and errors are passed on as they came, whatever they are, with members, variants and
 * methods that it does not know (COMPAT, EXT), and with what stands beside them in their message. Only numbers are those
 * of JavaScript, as everywhere in JSON that it reads: digits beyond the 16th are rounded, `-0` becomes `0`, and what is
 * too large, `1e400`, becomes `null`. What belongs to JSON-RPC is each side's own: ids, their use in `$/cancel_request`
 * and in questions that belong to a request, limits of size, refusing what is no message. The order of messages within a
 * session is kept, and a slow receiver slows its sender down. `session/cancel` does not wait for a prompt that
 * `fromClient` holds; it goes on at once, and once more behind the prompt.
 *
 * When the agent ends, what has no answer yet is answered with `-32603` and how it has ended, and the connection with the
 * client is closed. When the client ends, what runs has a second to be answered and told, and the agent is closed.
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
 */
export function createProxy(options: ProxyOptions): AgentDefinition {
  return {
    onDiagnostic: options.onDiagnostic,
    connect: (transport, { onDiagnostic = options.onDiagnostic } = {}) =>
      connectProxy(transport, options, guardListener(onDiagnostic)),
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
      if (fromAgent !== undefined) otherHalf.end.decide = decisionOf(fromAgent, peers, otherHalf.connection);
      if (fromClient !== undefined) {
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
      const message = `The proxy has no connection with the agent: ${describeThrown(cause)}`;
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

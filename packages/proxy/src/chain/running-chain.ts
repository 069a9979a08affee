import {
  type Awaitable,
  ConnectionClosedError,
  type DiagnosticListener,
  ErrorCode,
  type IncomingLimits,
  RequestError,
  TimeoutError,
  type Transport,
} from "@acp/core";
import { backgroundTimer, type CheckedIncomingLimits, describeError, incomingLimits } from "@acp/core/internal";
import { endReason } from "../end-reason.ts";
import { Opening } from "../opening.ts";
import { type Decision, type Forward, passingTime, passOn, type ProxyMessage } from "../relay-end.ts";
import { ChainLink } from "./chain-link.ts";
import { refuse, refuseUninitialized } from "./chain-methods.ts";
import { initializeProxyMethod, successorMethod } from "./successor-envelope.ts";

/** One program of a chain: a proxy, or the agent at its end. */
export interface ChainComponent {
  /** The name in errors and diagnostics. Default: `proxy 1`, `proxy 2`, …, `agent`. */
  readonly name?: string | undefined;
  /**
   * Opens the connection to it. Called once for each client. {@link ConductorOptions.startTimeout} limits the time.
   * `signal` aborts when the chain has ended.
   */
  connect(options: { readonly signal: AbortSignal }): Awaitable<Transport>;
}

/** Options of {@link createConductor}. */
export interface ConductorOptions extends IncomingLimits {
  /** The proxies, from the client's side to the agent's. None: messages go straight to the agent. */
  readonly proxies: readonly ChainComponent[];
  /**
   * The agent at the end. Without one the conductor is itself a proxy, for another conductor to start: what its last proxy
   * sends to its successor goes to the conductor's own.
   */
  readonly agent?: ChainComponent | undefined;
  /**
   * How long the start may make no progress, in milliseconds. Progress is that a component has started, answers its
   * initialize or passes it on. After that time the chain ends with an error that names the component that was asked last.
   * Default: 50,000, which is less than the minute that clients wait; `Infinity` for no limit.
   */
  readonly startTimeout?: number | undefined;
  /**
   * Receives the diagnostics; messages begin with the name of the component. Default: none, but `serveStdio` writes errors
   * to stderr.
   */
  readonly onDiagnostic?: DiagnosticListener | undefined;
}

interface ChainPart extends ChainComponent {
  readonly name: string;
  readonly isProxy: boolean;
}

/** The components, from the client's side to the agent's. */
function chainParts({ proxies, agent }: ConductorOptions): readonly ChainPart[] {
  const part = (component: ChainComponent, name: string, isProxy: boolean): ChainPart => ({
    name: component.name ?? name,
    isProxy,
    connect: (options) => component.connect(options),
  });
  const parts = (proxies ?? []).map((proxy, index) => part(proxy, `proxy ${index + 1}`, true));
  return agent == null ? parts : [...parts, part(agent, "agent", false)];
}

/** The components of one client, and the connections between them. */
export class RunningChain {
  /** Resolves once the client is gone and every component is closed. Never rejects. */
  readonly closed: Promise<void>;
  readonly #report: DiagnosticListener;
  readonly #parts: readonly ChainPart[];
  /** Without an agent, this is a part of a longer chain. */
  readonly #hasAgent: boolean;
  readonly #client: ChainLink;
  readonly #links: ChainLink[] = [];
  readonly #startTimeout: number;
  readonly #limits: CheckedIncomingLimits;
  /** Steps of the start that have begun and not ended. */
  readonly #steps: { readonly part: ChainPart; readonly action: string }[] = [];
  #stopStartTimer = (): void => {};
  readonly #ended = new AbortController();
  /** Rejects when the chain fails. */
  readonly #failed: Promise<never>;
  #failWith: (error: RequestError) => void = () => {};
  /** Why the chain ends. Set before its connections close. */
  #failure: RequestError | undefined;
  /** Done once all components have started. */
  #opening: Opening | undefined;
  #stopPassing = (): void => {};

  constructor(transport: Transport, options: ConductorOptions, report: DiagnosticListener) {
    this.#startTimeout = options.startTimeout ?? 50_000;
    this.#limits = incomingLimits(options);
    this.#report = report;
    this.#parts = chainParts(options);
    this.#hasAgent = options.agent != null;
    this.#failed = new Promise((_, reject) => (this.#failWith = reject));
    this.#failed.catch(() => {});
    const allowed = this.#hasAgent ? [] : [initializeProxyMethod, successorMethod];
    this.#client = new ChainLink({ transport, role: "agent", allowed, report, limits: this.#limits });
    this.#client.near.decide = (message, forward) => this.#fromClient(message, forward);
    this.#setEndError(this.#client);
    this.#client.connection.start();
    this.closed = this.#untilClosed();
  }

  async close(): Promise<void> {
    await this.#client.connection.close();
    await this.closed;
  }

  async #untilClosed(): Promise<void> {
    // Pending requests may still be answered.
    await this.#client.connection.closed;
    this.#end();
    await Promise.all(this.#links.map(({ connection }) => connection.closed));
  }

  #end(): void {
    this.#stopPassing();
    if (this.#ended.signal.aborted) return;
    this.#ended.abort();
    // The components first, so that the client gets an error for each pending request.
    for (const { connection } of this.#links) void connection.close();
    void this.#client.connection.close();
  }

  /** Ends the chain because a component has failed. */
  #fail(part: ChainPart, what: string, cause: unknown): void {
    if (this.#ended.signal.aborted || this.#failure !== undefined) return;
    const component = part.name;
    const summary = `The component "${component}" ${what}${endReason(cause)}; the chain is closed`;
    this.#failure = RequestError.internalError(summary, { component });
    this.#failWith(this.#failure);
    // The end of a connection was reported with its details, and a timeout has none.
    const message =
      cause instanceof ConnectionClosedError || cause instanceof TimeoutError
        ? summary
        : `${summary}: ${describeError(cause)}`;
    this.#report({ type: "closed", level: "error", message, error: new ConnectionClosedError(message, { cause }) });
    if (!(cause instanceof ConnectionClosedError)) return this.#end();
    // The proxies before it may still hold its last messages, and the errors for its pending requests. So read nothing more
    // from the client, and end when it has its answers, or after a while.
    this.#stopPassing = backgroundTimer(() => this.#end(), passingTime);
    void this.#client.connection.close();
  }

  #fromClient(message: ProxyMessage, forward: Forward): unknown {
    const first = this.#hasAgent ? "initialize" : initializeProxyMethod;
    if (this.#opening === undefined) {
      if (message.kind !== "request" || message.method !== first) return this.#refuse(message);
      this.#opening = new Opening(this.#start());
    }
    const toFirst = this.#decisionFor(this.#parts[0]);
    const pass = (): unknown =>
      toFirst(
        message.method === initializeProxyMethod ? { ...message, method: "initialize" } : message,
        forward,
        undefined,
      );
    return this.#opening.isDone ? pass() : this.#opening.wait(message, pass);
  }

  /** What happens to messages towards this component, or out of the chain. */
  #decisionFor(part: ChainPart | undefined): Decision {
    if (part === undefined) return passOn;
    return (message, forward) =>
      message.kind === "request" && message.method === "initialize"
        ? this.#initialize(part, message, forward)
        : forward(message);
  }

  async #initialize(part: ChainPart, { method: received, params }: ProxyMessage, forward: Forward): Promise<unknown> {
    const method = part.isProxy ? initializeProxyMethod : received;
    const done = this.#beginStep(part, `answer ${method}`);
    try {
      return await forward({ method, params });
    } catch (error) {
      if (!part.isProxy || !(error instanceof RequestError) || error.wire.code !== ErrorCode.methodNotFound)
        throw error;
      const { name: component } = part;
      const message = `The component "${component}" is no proxy: it does not know ${method}`;
      throw RequestError.internalError(message, { component });
    } finally {
      done();
    }
  }

  #setEndError({ near, successor }: ChainLink): void {
    for (const end of [near, successor])
      end.endError = () => this.#failure ?? RequestError.internalError("The client is gone");
  }

  #refuse({ kind, method }: ProxyMessage): void {
    if (kind === "request")
      throw this.#hasAgent ? refuse("A client begins with initialize") : refuseUninitialized(method);
    const message = `The notification ${method} came before the chain was initialized, and was discarded`;
    this.#report({ type: "rule", level: "warning", message, method, rule: "INIT-01" });
  }

  async #start(): Promise<void> {
    const links = await Promise.race([this.#failed, Promise.all(this.#parts.map((part) => this.#open(part)))]);
    let before = this.#client.near;
    for (const [index, link] of links.entries()) {
      before.join(link.near);
      before = link.successor;
      link.successor.decide = this.#decisionFor(this.#parts[index + 1]);
      // If both directions waited for a slow receiver, they could wait for each other. Only the direction to the client does,
      // since most messages go there.
      link.successor.waitsForReceiver = false;
    }
    if (!this.#hasAgent) before.join(this.#client.successor);
    for (const { connection } of links) connection.start();
  }

  async #open(part: ChainPart): Promise<ChainLink> {
    const done = this.#beginStep(part, "start");
    try {
      const { signal } = this.#ended;
      const transport = await part.connect({ signal });
      if (signal.aborted) await transport.close();
      signal.throwIfAborted();
      const link = new ChainLink({
        transport,
        role: "client",
        allowed: part.isProxy ? [successorMethod] : [],
        limits: this.#limits,
        report: (diagnostic) => this.#report({ ...diagnostic, message: `${part.name}: ${diagnostic.message}` }),
      });
      this.#setEndError(link);
      this.#links.push(link);
      const ended = link.connection.signal;
      ended.addEventListener("abort", () => this.#fail(part, "has ended", ended.reason));
      return link;
    } catch (cause) {
      this.#fail(part, "could not be started", cause);
      throw cause;
    } finally {
      done();
    }
  }

  /** Begins a step of the start. Returns the function that ends it. */
  #beginStep(part: ChainPart, action: string): () => void {
    const step = { part, action };
    this.#steps.push(step);
    this.#restartTimer();
    return () => {
      this.#steps.splice(this.#steps.indexOf(step), 1);
      this.#restartTimer();
    };
  }

  #restartTimer(): void {
    this.#stopStartTimer();
    const latest = this.#steps.at(-1);
    if (latest === undefined) return;
    const limit = this.#startTimeout;
    this.#stopStartTimer = backgroundTimer(() => {
      const what = `did not ${latest.action} within ${limit} ms`;
      this.#fail(latest.part, what, new TimeoutError("initialize", limit, what));
    }, limit);
  }
}

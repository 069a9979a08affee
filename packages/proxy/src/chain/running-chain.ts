import { ConnectionClosedError, type DiagnosticListener, RequestError, TimeoutError, type Transport } from "@acp/core";
import { backgroundTimer, describeError } from "@acp/core/internal";
import { endReason } from "../end-reason.ts";
import { Opening } from "../opening.ts";
import { type Forward, passingTime, type ProxyMessage } from "../relay-end.ts";
import { ChainLink } from "./chain-link.ts";
import { chainParts, type ChainPart } from "./chain-part.ts";
import type { ConductorOptions } from "./conductor.ts";
import { Passage } from "./passage.ts";
import { refuseUninitialized, refuseUnstarted } from "./refusals.ts";
import { StartWatch } from "./start-watch.ts";
import { initializeProxyMethod, successorMethod } from "./successor-envelope.ts";

/** The components of one client, and the connections between them. */
export class RunningChain {
  /** Settles, never rejects, once the client is gone and every component is closed. */
  readonly closed: Promise<void>;
  readonly #report: DiagnosticListener;
  readonly #parts: readonly ChainPart[];
  /** Whether there is an agent at the end; if not, this is a part of a longer chain. */
  readonly #hasAgent: boolean;
  readonly #client: ChainLink;
  readonly #links: ChainLink[] = [];
  readonly #passage: Passage;
  readonly #watch: StartWatch<{ readonly part: ChainPart; readonly step: string }>;
  readonly #ended = new AbortController();
  /** Rejects when the chain fails. */
  readonly #failed: Promise<never>;
  #failWith: (error: RequestError) => void = () => {};
  /** What has ended the chain. Known before the connections are closed that messages wait for. */
  #failure: RequestError | undefined;
  /** Done once all components are there. */
  #opening: Opening | undefined;
  #stopPassing: (() => void) | undefined;

  constructor(transport: Transport, options: ConductorOptions, report: DiagnosticListener) {
    const startTimeout = options.startTimeout ?? 50_000;
    this.#report = report;
    this.#parts = chainParts(options);
    this.#hasAgent = options.agent != null;
    this.#watch = new StartWatch(startTimeout, ({ part, step }) => {
      const late = `did not ${step} within ${startTimeout} ms`;
      this.#giveUp(part, late, new TimeoutError("initialize", startTimeout, late));
    });
    this.#passage = new Passage((part, method) => this.#watch.begin({ part, step: `answer ${method}` }));
    this.#failed = new Promise((_, reject) => {
      this.#failWith = reject;
    });
    this.#failed.catch(() => {});
    const spoken = this.#hasAgent ? [] : [initializeProxyMethod, successorMethod];
    this.#client = new ChainLink({ transport, role: "agent", spoken, report });
    this.#client.near.decide = (message, forward) => this.#fromClient(message, forward);
    this.#tellGone(this.#client);
    this.#client.connection.start();
    this.closed = this.#untilClosed();
  }

  async close(): Promise<void> {
    await this.#client.connection.close();
    await this.closed;
  }

  async #untilClosed(): Promise<void> {
    // What runs may still be answered.
    await this.#client.connection.closed;
    this.#end();
    await Promise.all(this.#links.map(({ connection }) => connection.closed));
  }

  #end(): void {
    this.#stopPassing?.();
    if (this.#ended.signal.aborted) return;
    this.#ended.abort();
    // First those whose answers are waited for, so that the client gets an error for each.
    for (const { connection } of this.#links) void connection.close();
    void this.#client.connection.close();
  }

  /** The chain is as good as its parts. */
  #giveUp(part: ChainPart, what: string, cause: unknown): void {
    if (this.#ended.signal.aborted || this.#failure !== undefined) return;
    const component = part.name;
    const told = `The component "${component}" ${what}${endReason(cause)}; the chain is closed`;
    const failure = RequestError.internalError(told, { component });
    this.#failure = failure;
    this.#failWith(failure);
    // An end was told in full by its connection, and a delay is one in so many words.
    const message =
      cause instanceof ConnectionClosedError || cause instanceof TimeoutError
        ? told
        : `${told}: ${describeError(cause)}`;
    this.#report({ type: "closed", level: "error", message, error: new ConnectionClosedError(message, { cause }) });
    // What it said last is still with the proxies before it, and so are the errors that stand in for its answers.
    if (cause instanceof ConnectionClosedError) this.#endWithClient();
    else this.#end();
  }

  /** Reads nothing more of the client, and ends when it has its answers. A proxy that keeps them is not waited for. */
  #endWithClient(): void {
    this.#stopPassing = backgroundTimer(() => this.#end(), passingTime);
    void this.#client.connection.close();
  }

  #fromClient(message: ProxyMessage, forward: Forward): unknown {
    const first = this.#hasAgent ? "initialize" : initializeProxyMethod;
    if (this.#opening === undefined) {
      if (message.kind !== "request" || message.method !== first) return this.#refuse(message);
      this.#opening = new Opening(this.#start());
    }
    const towardsFirst = this.#passage.towards(this.#parts[0]);
    const onwards = (): unknown => {
      // As every other initialize on its way.
      const named = message.method === initializeProxyMethod ? { ...message, method: "initialize" } : message;
      return towardsFirst(named, forward, undefined);
    };
    return this.#opening.isDone ? onwards() : this.#opening.wait(message, onwards);
  }

  /** Lets a link that has ended say what has ended the chain. */
  #tellGone({ near, successor }: ChainLink): void {
    for (const end of [near, successor])
      end.gone = () => this.#failure ?? RequestError.internalError("The client is gone");
  }

  #refuse({ kind, method }: ProxyMessage): void {
    if (kind === "request") throw this.#hasAgent ? refuseUnstarted() : refuseUninitialized(method);
    const message = `The notification ${method} came before the chain was initialized, and was left out`;
    this.#report({ type: "rule", level: "warning", message, method, rule: "INIT-01" });
  }

  async #start(): Promise<void> {
    const links = await Promise.race([this.#failed, Promise.all(this.#parts.map((part) => this.#open(part)))]);
    let before = this.#client.near;
    for (const [index, link] of links.entries()) {
      before.join(link.near);
      before = link.successor;
      link.successor.decide = this.#passage.towards(this.#parts[index + 1]);
      // A proxy that is held up by a slow client must be read on for the agent's sake, and the other way round; where
      // both wait for each other nobody would ever go on. Only the way to the client, where the floods are, may wait.
      link.successor.isWaiting = false;
    }
    if (!this.#hasAgent) before.join(this.#client.successor);
    for (const { connection } of links) connection.start();
  }

  async #open(part: ChainPart): Promise<ChainLink> {
    const done = this.#watch.begin({ part, step: "start" });
    try {
      const { signal } = this.#ended;
      const transport = await part.connect({ signal });
      if (signal.aborted) await transport.close();
      signal.throwIfAborted();
      const link = new ChainLink({
        transport,
        role: "client",
        spoken: part.isProxy ? [successorMethod] : [],
        report: (diagnostic) => this.#report({ ...diagnostic, message: `${part.name}: ${diagnostic.message}` }),
      });
      this.#tellGone(link);
      this.#links.push(link);
      link.connection.signal.addEventListener("abort", () =>
        this.#giveUp(part, "has ended", link.connection.signal.reason),
      );
      return link;
    } catch (cause) {
      this.#giveUp(part, "could not be started", cause);
      throw cause;
    } finally {
      done();
    }
  }
}

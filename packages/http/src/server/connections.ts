import {
  type AgentConnection,
  type AgentDefinition,
  type DiagnosticListener,
  type Transport,
  UsageError,
} from "@acp/core";
import { createCorrelationId, describeError, guardListener } from "@acp/core/internal";
import { refusal } from "./answers.ts";
import { Budget } from "./budget.ts";
import { isSameData } from "./identity.ts";
import type { HttpServerOptions, Limits } from "./options.ts";
import { ResumableSockets } from "./resumable-sockets.ts";
import type { ServerChannel } from "./server-channel.ts";

/** A connection over HTTP, and the identity that has opened it. */
interface OwnedChannel<Identity> {
  readonly channel: ServerChannel;
  readonly owner: Identity;
}

/** All connections of a server. */
export class Connections<Identity extends object | true> {
  /** The connections over HTTP, by id. */
  readonly #channels = new Map<string, OwnedChannel<Identity>>();
  /** The connections over WebSockets that outlive their sockets. */
  readonly sockets: ResumableSockets<Identity>;
  readonly #options: HttpServerOptions<Identity>;
  readonly limits: Limits;
  /** Messages from clients that agents have not taken yet, in bytes. */
  readonly received: Budget;
  /** Messages from agents that clients have not taken yet, in UTF-16 code units, and in bytes for WebSockets. */
  readonly queued: Budget;
  readonly #report: DiagnosticListener;
  readonly #running = new Set<AgentConnection>();
  #size = 0;
  #isClosed = false;

  constructor(options: HttpServerOptions<Identity>, limits: Limits) {
    this.#options = options;
    this.limits = limits;
    this.sockets = new ResumableSockets(limits.resumeTimeout, (owner, sender) => this.#isOwner(owner, sender));
    this.received = new Budget(limits.maxTotalReceivedBytes);
    this.queued = new Budget(limits.maxTotalBufferedUnits);
    this.#report = guardListener(options.onDiagnostic ?? undefined);
  }

  get size(): number {
    return this.#size;
  }

  /** Reserves a connection. Returns the function that releases it, or the refusal if there are too many. */
  reserve(): (() => void) | Response {
    const size = this.#size;
    if (this.#isClosed) return refusal(503, "The server is closed");
    if (size >= this.limits.maxConnections)
      return this.refuse(503, `There are ${size} connections, which is all there may be (maxConnections)`);
    this.#size++;
    let isReserved = true;
    return () => {
      if (isReserved) this.#size--;
      isReserved = false;
    };
  }

  /** Keeps a connection over HTTP for the requests of its owner. */
  add(id: string, channel: ServerChannel, owner: Identity): void {
    this.#channels.set(id, { channel, owner });
  }

  delete(id: string): void {
    this.#channels.delete(id);
  }

  /** Finds a connection over HTTP; `undefined` also for one of another identity, so that ids stay secret. */
  find(id: string, sender: Identity): ServerChannel | undefined {
    const found = this.#channels.get(id);
    return found !== undefined && this.#isOwner(found.owner, sender) ? found.channel : undefined;
  }

  /** Whether a connection is one of the sender; reports it if not. */
  #isOwner(owner: Identity, sender: Identity): boolean {
    // Only `true` is a yes, which the promise of an async function is not.
    const isSame: unknown = (this.#options.sameIdentity ?? isSameData)(owner, sender);
    if (isSame === true) return true;
    this.report(
      404,
      "A request names a connection of another identity; if both are the same user, the option sameIdentity has to say so",
    );
    return false;
  }

  /** Chooses the agent for a connection. Throws the errors of the option `agent`. */
  async agentFor(request: Request, identity: Identity): Promise<AgentDefinition> {
    const { agent: option } = this.#options;
    const agent = typeof option === "function" ? await option(request, identity) : option;
    // Checked before a WebSocket opens, which could not be refused any more.
    if (typeof agent?.connect === "function") return agent;
    throw new UsageError(
      "There is no agent: the option agent is to be one of createAgent, or a function that returns it",
    );
  }

  /** Connects an agent, and calls `ended` when the connection has ended. */
  connect(agent: AgentDefinition, transport: Transport, ended: () => void): void {
    const { onDiagnostic } = this.#options;
    const connection = agent.connect(transport, onDiagnostic ? { onDiagnostic } : undefined);
    this.#running.add(connection);
    void connection.closed.then(() => {
      this.#running.delete(connection);
      ended();
    });
    // The server was closed while the agent was chosen.
    if (this.#isClosed) void connection.close();
  }

  /** Refuses a request by a limit, and reports that. The words name the limit. */
  refuse(status: number, words: string): Response {
    this.report(status, `Refused a request over HTTP with ${status}: ${words}`);
    return refusal(status, words);
  }

  /** Reports a refusal to the operator, who may know more than the client. */
  report(status: number, message: string): void {
    this.#report({ type: "refused", level: "warning", message, status });
  }

  /** Reports an error of a function of the application, and returns the answer. */
  failed(error: unknown): Response {
    const {
      status,
      expose,
      message: words,
    } = Object(error) as { status?: unknown; expose?: unknown; message?: unknown };
    if (expose === true && typeof status === "number" && status >= 400 && status <= 599)
      return this.refuse(status, String(words));
    const id = createCorrelationId();
    const message = `A request over HTTP failed (${id}): ${describeError(error)}`;
    this.#report({ type: "handler-failed", level: "error", message, method: "initialize", error, correlationId: id });
    return refusal(500, `Internal error (${id})`);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#running].map((connection) => connection.close()));
  }
}

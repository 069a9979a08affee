import type { AgentMethods, Received } from "@acp/schema/v1";
import type { DistributiveOmit } from "../protocol/methods.ts";
import type { Peer, RequestOptions } from "../protocol/peer.ts";
import type { ClientSession } from "./client-session.ts";

type NewSession = AgentMethods["session/new"]["params"];
type LoadSession = AgentMethods["session/load"]["params"];
type ResumeSession = AgentMethods["session/resume"]["params"];
type Optional<T, K extends keyof T> = DistributiveOmit<T, K> & Partial<Pick<T, K>>;

/** An agent that has been initialized. */
export interface ConnectedAgent<A = AgentMethods> extends Peer<A> {
  /** The version both sides speak. */
  readonly protocolVersion: number;
  /** The agent's name and version, if it told them. */
  readonly info: Received.Implementation | undefined;
  /** What the agent advertised; absent means unsupported (INIT-12). */
  readonly capabilities: Received.AgentCapabilities;
  /** Ways to log in, often none. */
  readonly authMethods: readonly Received.AuthMethod[];
  /** Opens a new session. `cwd` is absolute; `mcpServers` defaults to none. */
  newSession(params: Optional<NewSession, "mcpServers">, options?: RequestOptions): Promise<ClientSession<A>>;
  /** Loads a session; its history comes as updates first (SESS-06). @throws {CapabilityError} */
  loadSession(params: Optional<LoadSession, "mcpServers">, options?: RequestOptions): Promise<ClientSession<A>>;
  /** Goes on with a session, without its history (SESS-12). @throws {CapabilityError} */
  resumeSession(params: ResumeSession, options?: RequestOptions): Promise<ClientSession<A>>;
  /** The open session with this id. */
  session(sessionId: string): ClientSession<A> | undefined;
  /** Logs in by a method of type agent that was offered (AUTH-05). */
  authenticate(methodId: string, options?: RequestOptions): Promise<void>;
  /** Aborts when the connection ends; the reason is an error that says why. */
  readonly signal: AbortSignal;
  /** Settles, never rejects, when the connection has ended. */
  readonly closed: Promise<void>;
  /** Ends the connection, and the agent's process if it was spawned. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

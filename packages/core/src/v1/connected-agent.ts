import type { AgentMethods, ClientMethods, Received } from "@acp/schema/v1";
import type { DistributiveOmit, ParamsOf } from "../protocol/methods.ts";
import type { MetaOptions, Peer, RequestOptions } from "../protocol/peer.ts";
import type { ClientSession } from "./client-session.ts";
import type { OpeningMethod, ReceivedAgentCapabilitiesOf } from "./vocabulary.ts";

/** The params of a method that opens a session; `mcpServers` defaults to none. */
type Setup<A, K extends OpeningMethod> = OptionalServers<ParamsOf<A, Extract<keyof A, K>>>;
type OptionalServers<P> = P extends { readonly mcpServers: infer Servers }
  ? DistributiveOmit<P, "mcpServers"> & { readonly mcpServers?: Servers }
  : P;

/** An agent that has been initialized. Without `session/fork`, that is an {@link InitializedAgent}. */
export type ConnectedAgent<A = AgentMethods, C = ClientMethods> = InitializedAgent<A, C> &
  (A extends { readonly "session/fork": unknown } ? SessionForks<A, C> : unknown);

/** What a connected agent offers if the protocol has `session/fork`. */
export interface SessionForks<A, C> {
  /**
   * Opens a new session with the history of the one that `sessionId` names, which goes on as it was.
   * `mcpServers` defaults to none. @throws {CapabilityError}
   */
  forkSession(params: Setup<A, "session/fork">, options?: RequestOptions): Promise<ClientSession<A, C>>;
}

/** What a connected agent offers whatever the protocol: {@link ConnectedAgent} is the type to write. */
export interface InitializedAgent<A, C> extends Peer<A> {
  /** The version both sides speak. */
  readonly protocolVersion: number;
  /** The agent's name and version, if it told them. */
  readonly info: Received.Implementation | undefined;
  /** What the agent advertised; absent means unsupported (INIT-12). */
  readonly capabilities: ReceivedAgentCapabilitiesOf<A>;
  /** Ways to log in, often none. */
  readonly authMethods: readonly Received.AuthMethod[];
  /** The `_meta` of its answer to `initialize`; empty if there was none (EXT-01). */
  readonly meta: { readonly [key: string]: unknown };
  /** Opens a new session. `cwd` is absolute; `mcpServers` defaults to none. */
  newSession(params: Setup<A, "session/new">, options?: RequestOptions): Promise<ClientSession<A, C>>;
  /** Loads a session; its history comes as updates first (SESS-06). @throws {CapabilityError} */
  loadSession(params: Setup<A, "session/load">, options?: RequestOptions): Promise<ClientSession<A, C>>;
  /** Goes on with a session, without its history (SESS-12). @throws {CapabilityError} */
  resumeSession(params: Setup<A, "session/resume">, options?: RequestOptions): Promise<ClientSession<A, C>>;
  /** The session with this id that is open, or is being loaded or resumed and waits for no login. */
  session(sessionId: string): ClientSession<A, C> | undefined;
  /** Logs in by a method of type agent that was offered (AUTH-05). */
  authenticate(methodId: string, options?: RequestOptions & MetaOptions): Promise<void>;
  /** Aborts when the connection ends; the reason is an error that says why. */
  readonly signal: AbortSignal;
  /** Settles, never rejects, when the connection has ended. */
  readonly closed: Promise<void>;
  /** Ends the connection, and the agent's process if it was spawned. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

import type { AgentMethods, ClientMethods, Received } from "@acp/schema/v1/types";
import type { DistributiveOmit, ParamsOf } from "../rpc/methods.ts";
import type { Peer, RequestOptions } from "../rpc/peer.ts";
import type { ConnectedMembers } from "../session/client/public-members.ts";
import type { ClientSession } from "./client-session.ts";
import type { OpeningMethod, ReceivedAgentCapabilitiesOf } from "./protocol-types.ts";

/** The params of a method that opens a session. `mcpServers` defaults to none. */
type Setup<A, K extends OpeningMethod> = OptionalServers<ParamsOf<A, Extract<keyof A, K>>>;
type OptionalServers<P> = P extends { readonly mcpServers: infer Servers }
  ? DistributiveOmit<P, "mcpServers"> & { readonly mcpServers?: Servers | undefined }
  : P;

/** An agent that a client is connected to. It has the members of {@link InitializedAgent} and of {@link Peer}. */
export type ConnectedAgent<A = AgentMethods, C = ClientMethods> = InitializedAgent<A, C> &
  (A extends { readonly "session/fork": unknown } ? SessionForks<A, C> : unknown);

/** The members of a connected agent if the protocol has `session/fork`. */
export interface SessionForks<A, C> {
  /**
   * Creates a new session from the history of the session `sessionId`, which does not change. `mcpServers` defaults to
   * none.
   *
   * @throws {CapabilityError} if the agent did not advertise `sessionCapabilities.fork`.
   * @throws what {@link Peer.request} throws.
   */
  forkSession(params: Setup<A, "session/fork">, options?: RequestOptions): Promise<ClientSession<A, C>>;
}

/** The members that a connected agent has in every protocol. In your code, use the type {@link ConnectedAgent}. */
export interface InitializedAgent<out A, out C>
  extends Peer<A>, ConnectedMembers<ClientSession<A, C>, Received.AuthMethod> {
  /** The agent's name and version, if it sent them. */
  readonly info: Received.Implementation | undefined;
  /** The capabilities that the agent advertised. An absent capability is not supported (INIT-12). */
  readonly capabilities: ReceivedAgentCapabilitiesOf<A>;
  /**
   * Creates a new session. `cwd` is an absolute path. `mcpServers` defaults to none.
   *
   * @throws {UsageError} if a path is not absolute.
   * @throws {CapabilityError} if the agent does not support the kind of MCP server, or additional directories.
   * @throws what {@link Peer.request} throws.
   */
  newSession(params: Setup<A, "session/new">, options?: RequestOptions): Promise<ClientSession<A, C>>;
  /**
   * Loads a session. Its history arrives as updates before the promise resolves (SESS-06). Otherwise works like {@link
   * newSession}.
   *
   * @throws {CapabilityError} if the agent did not advertise `loadSession`.
   */
  loadSession(params: Setup<A, "session/load">, options?: RequestOptions): Promise<ClientSession<A, C>>;
  /**
   * Resumes a session without its history (SESS-12). Otherwise works like {@link newSession}.
   *
   * @throws {CapabilityError} if the agent did not advertise `sessionCapabilities.resume`.
   */
  resumeSession(params: Setup<A, "session/resume">, options?: RequestOptions): Promise<ClientSession<A, C>>;
}

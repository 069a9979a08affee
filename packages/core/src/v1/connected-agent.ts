import type { AgentMethods, ClientMethods, Received } from "@acp/schema/v1/types";
import type { DistributiveOmit, ParamsOf } from "../rpc/methods.ts";
import type { Peer, RequestOptions } from "../rpc/peer.ts";
import type { ConnectedMembers } from "../session/client/public-members.ts";
import type { ClientSession } from "./client-session.ts";
import type { OpeningMethod, ReceivedAgentCapabilitiesOf } from "./protocol-types.ts";

/** The params of a method that opens a session; `mcpServers` defaults to none. */
type Setup<A, K extends OpeningMethod> = OptionalServers<ParamsOf<A, Extract<keyof A, K>>>;
type OptionalServers<P> = P extends { readonly mcpServers: infer Servers }
  ? DistributiveOmit<P, "mcpServers"> & { readonly mcpServers?: Servers | undefined }
  : P;

/** An agent that a client is connected to, with the members of {@link InitializedAgent} and of its peer. */
export type ConnectedAgent<A = AgentMethods, C = ClientMethods> = InitializedAgent<A, C> &
  (A extends { readonly "session/fork": unknown } ? SessionForks<A, C> : unknown);

/** The members of a connected agent if the protocol has `session/fork`. */
export interface SessionForks<A, C> {
  /**
   * Opens a new session with the history of the one that `sessionId` names; that one goes on unchanged. `mcpServers`:
   * none by default.
   *
   * @throws {CapabilityError} if the agent did not advertise `sessionCapabilities.fork`.
   * @throws what {@link Peer.request} throws.
   */
  forkSession(params: Setup<A, "session/fork">, options?: RequestOptions): Promise<ClientSession<A, C>>;
}

/** The members of a connected agent in every protocol. Write the type {@link ConnectedAgent}. */
export interface InitializedAgent<out A, out C> extends Peer<A>, ConnectedMembers<ClientSession<A, C>> {
  /** The agent's name and version, if it sent them. */
  readonly info: Received.Implementation | undefined;
  /** What the agent advertised; absent means unsupported (INIT-12). */
  readonly capabilities: ReceivedAgentCapabilitiesOf<A>;
  /** Ways to log in, often none. */
  readonly authMethods: readonly Received.AuthMethod[];
  /**
   * Opens a new session. `cwd` is absolute; `mcpServers`: none by default.
   *
   * @throws {UsageError} for a path that is not absolute.
   * @throws {CapabilityError} for an MCP server or folders of a kind that the agent did not advertise to take.
   * @throws what {@link Peer.request} throws.
   */
  newSession(params: Setup<A, "session/new">, options?: RequestOptions): Promise<ClientSession<A, C>>;
  /**
   * Loads a session. Its history arrives as updates, before the promise resolves (SESS-06). Otherwise like
   * {@link newSession}.
   *
   * @throws {CapabilityError} if the agent did not advertise `loadSession`.
   */
  loadSession(params: Setup<A, "session/load">, options?: RequestOptions): Promise<ClientSession<A, C>>;
  /**
   * Resumes a session, without its history (SESS-12). Otherwise like {@link newSession}.
   *
   * @throws {CapabilityError} if the agent did not advertise `sessionCapabilities.resume`.
   */
  resumeSession(params: Setup<A, "session/resume">, options?: RequestOptions): Promise<ClientSession<A, C>>;
}

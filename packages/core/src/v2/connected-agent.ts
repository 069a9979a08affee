import type { AgentMethods, ClientMethods, Received } from "@acp/schema/v2/types";
import type { ParamsOf } from "../rpc/methods.ts";
import type { Peer, RequestOptions } from "../rpc/peer.ts";
import type { ConnectedMembers } from "../session/client/public-members.ts";
import type { ClientSession } from "./client-session.ts";
import type { OpeningMethod, ReceivedAgentCapabilitiesOf } from "./protocol-types.ts";

/** The params of a method that opens a session. */
type Setup<A, K extends OpeningMethod> = ParamsOf<A, Extract<keyof A, K>>;

/** An agent that a client is connected to, with the members of {@link InitializedAgent} and of its peer. */
export type ConnectedAgent<A = AgentMethods, C = ClientMethods> = InitializedAgent<A, C> &
  (A extends { readonly "session/fork": unknown } ? SessionForks<A, C> : unknown);

/** The members of a connected agent if the protocol has `session/fork`. */
export interface SessionForks<A, C> {
  /**
   * Opens a new session with the history of the one that `sessionId` names; that one goes on unchanged.
   *
   * @throws {CapabilityError} if the agent did not advertise `session.fork`.
   * @throws what {@link Peer.request} throws.
   */
  forkSession(params: Setup<A, "session/fork">, options?: RequestOptions): Promise<ClientSession<A, C>>;
}

/** The members of a connected agent in every protocol. Write the type {@link ConnectedAgent}. */
export interface InitializedAgent<out A, out C> extends Peer<A>, ConnectedMembers<ClientSession<A, C>> {
  /** The agent's name and version. */
  readonly info: Received.Implementation;
  /** What the agent advertised; absent means unsupported (INIT-12). Without `session` it has no sessions at all. */
  readonly capabilities: ReceivedAgentCapabilitiesOf<A>;
  /** Ways to log in, often none. */
  readonly authMethods: readonly Received.AuthMethod[];
  /**
   * Opens a new session. `cwd` is absolute.
   *
   * @throws {CapabilityError} for an MCP server or folders of a kind that the agent did not advertise to take.
   * @throws what {@link Peer.request} throws.
   */
  newSession(params: Setup<A, "session/new">, options?: RequestOptions): Promise<ClientSession<A, C>>;
  /**
   * Resumes a session. With `replayFrom: { type: "start" }` its history arrives as updates first, before the promise resolves.
   * The session's state arrives in any case; it may be running. Otherwise like {@link newSession}.
   */
  resumeSession(params: Setup<A, "session/resume">, options?: RequestOptions): Promise<ClientSession<A, C>>;
}

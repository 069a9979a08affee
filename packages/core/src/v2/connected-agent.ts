import type { AgentMethods, ClientMethods, Received } from "@acp/schema/v2/types";
import type { ParamsOf } from "../rpc/methods.ts";
import type { Peer, RequestOptions } from "../rpc/peer.ts";
import type { ConnectedMembers } from "../session/client/public-members.ts";
import type { ClientSession } from "./client-session.ts";
import type { OpeningMethod, ReceivedAgentCapabilitiesOf } from "./protocol-types.ts";

/** The params of a method that opens a session. */
type Setup<A, K extends OpeningMethod> = ParamsOf<A, Extract<keyof A, K>>;

/** An agent that a client is connected to. It has the members of {@link InitializedAgent} and of {@link Peer}. */
export type ConnectedAgent<A = AgentMethods, C = ClientMethods> = InitializedAgent<A, C> &
  (A extends { readonly "session/fork": unknown } ? SessionForks<A, C> : unknown);

/** The members of a connected agent if the protocol has `session/fork`. */
export interface SessionForks<A, C> {
  /**
   * Creates a new session from the history of the session `sessionId`, which does not change.
   *
   * @throws {CapabilityError} if the agent did not advertise `session.fork`.
   * @throws what {@link Peer.request} throws.
   */
  forkSession(params: Setup<A, "session/fork">, options?: RequestOptions): Promise<ClientSession<A, C>>;
}

/** The members that a connected agent has in every protocol. In your code, use the type {@link ConnectedAgent}. */
export interface InitializedAgent<out A, out C>
  extends Peer<A>, ConnectedMembers<ClientSession<A, C>, Received.AuthMethod> {
  /** The agent's name and version. */
  readonly info: Received.Implementation;
  /**
   * The capabilities that the agent advertised. An absent capability is not supported (INIT-12). Without `session`, the
   * agent has no sessions.
   */
  readonly capabilities: ReceivedAgentCapabilitiesOf<A>;
  /**
   * Creates a new session. `cwd` is an absolute path.
   *
   * @throws {CapabilityError} if the agent does not support the kind of MCP server, or additional directories.
   * @throws what {@link Peer.request} throws.
   */
  newSession(params: Setup<A, "session/new">, options?: RequestOptions): Promise<ClientSession<A, C>>;
  /**
   * Resumes a session. With `replayFrom: { type: "start" }`, its history arrives as updates before the promise
   * resolves. The session's state always arrives; the session may be running. Otherwise works like {@link newSession}.
   */
  resumeSession(params: Setup<A, "session/resume">, options?: RequestOptions): Promise<ClientSession<A, C>>;
}

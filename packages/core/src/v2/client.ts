import { clientTable } from "@acp/schema/v2";
import type { AgentMethods, ClientMethods, Implementation, Received } from "@acp/schema/v2/types";
import type { Protocol } from "../rpc/extend.ts";
import type { Checked } from "../rpc/methods.ts";
import type { ClientRole } from "../rpc/role.ts";
import type { ExtensionHandlers } from "../session/handler-table.ts";
import type { ClientOptionMembers } from "../session/client/client-options.ts";
import { type ClientConnector, createConnector } from "../session/client/client-connector.ts";
import { clientDialect } from "./client-dialect.ts";
import type { ClientContext, ClientHandlers } from "./client-handlers.ts";
import type { ChooseLogin as ChooseLoginOf, LoginRequest as LoginRequestOf } from "../session/client/client-login.ts";
import type { ClientSession } from "./client-session.ts";
import type { ConnectedAgent } from "./connected-agent.ts";
import type { InterceptedCallOf, InterceptedRequestOf, InterceptorOf } from "../session/client/interceptor.ts";
import { readAnswersOfOtherVersions } from "./versions/negotiation.ts";
import type { ClientCapabilitiesOf } from "./protocol-types.ts";
import { requireObject } from "../base/require-argument.ts";
import { readMember } from "../base/values.ts";

/** A call that the agent refused until the user logs in. It has what you need to ask the user for a login method. */
export type LoginRequest = LoginRequestOf<Received.AuthMethod, Received.Implementation>;

/**
 * Chooses a login method. Returns the `methodId` of one that is not of type `terminal`, or `undefined` or `null` to
 * cancel.
 */
export type ChooseLogin = ChooseLoginOf<LoginRequest>;

/** A call of a client, as an interceptor sees it. Compare `method` to narrow the types of `params` and `next`. */
export type InterceptedCall<A = AgentMethods, C = ClientMethods> = InterceptedCallOf<A, ClientSession<A, C>>;

/** A request of the agent, as an interceptor sees it. Compare `method` to narrow the types of `params` and `next`. */
export type InterceptedRequest<A = AgentMethods, C = ClientMethods> = InterceptedRequestOf<C, ClientSession<A, C>>;

/** Code around the calls of a client, and around its handlers; see the option `interceptors`. */
export interface Interceptor<A = AgentMethods, C = ClientMethods> extends InterceptorOf<A, C, ClientSession<A, C>> {}

/** Options of {@link createClient}. `Own` are the handlers that the protocol does not declare. */
export interface ClientOptions<A, C, H, Own = unknown> extends ClientOptionMembers<Implementation, Interceptor<A, C>> {
  /** Capabilities that do not follow from a handler: elicitation modes, terminal login, `_meta`. */
  readonly capabilities?: ClientCapabilitiesOf<A> | undefined;
  /**
   * The handlers, by method name. Without a handler for `session/request_permission`, the client chooses the first
   * option that rejects, or `cancelled` if there is none, and reports it.
   *
   * If the agent cancels a question, the client answers it with `cancelled`, whatever its handler does. It does the
   * same when you cancel the work, if the question names a tool call or terminal that is not in the agent's list of
   * background work.
   */
  readonly handlers?: (ClientHandlers<C, A> & Own & Checked<H, C, Own>) | undefined;
  /**
   * Chooses how to log in when a call fails with `-32000`, even after a logout. The client then calls `auth/login` with
   * the returned id and repeats the call.
   *
   * Without this option, or if it returns `undefined`, the call rejects with the agent's error. Calls that fail at the
   * same time share one login. A call that is cancelled stops waiting; when no call is waiting any more, the `signal`
   * of the request aborts.
   *
   * ```ts
   * authenticate: async ({ methods }) => methods.find(({ type }) => type === "agent")?.methodId
   * ```
   */
  readonly authenticate?: ChooseLogin | undefined;
}

/** A client of version 2, ready to connect to any number of agents. */
export interface ClientDefinition<out A = AgentMethods, out C = ClientMethods> extends ClientConnector<
  ConnectedAgent<A, C>
> {}

/**
 * Creates a client of version 2 from its handlers. It connects only to agents that speak version 2; `clientOfVersions`
 * combines it with a client of version 1.
 *
 * ```ts
 * const client = createClient({
 *   info: { name: "my-editor", version: "1.0.0" },
 *   handlers: { "session/update": ({ update }) => render(update) },
 * });
 * ```
 *
 * @throws {UsageError} if a handler's method is not in the protocol, handlers and capabilities contradict each other,
 * or an option is invalid.
 */
export function createClient<H extends object = object>(
  options: ClientOptions<AgentMethods, ClientMethods, H, ExtensionHandlers<ClientContext>>,
): ClientDefinition {
  return defineClient(clientTable, options);
}

/**
 * Like `createClient`, for a protocol with extension methods that {@link extend} returns: `createClientFor(acme)({ …
 * })`. A handler for an extension that the protocol does not declare does not compile.
 *
 * @throws {UsageError} as `createClient` does.
 */
export function createClientFor<A, C>(
  protocol: Protocol<A, C>,
): <H extends object = object>(options: ClientOptions<A, C, H>) => ClientDefinition<A, C> {
  requireObject(readMember(protocol, "client"), "createClientFor() takes a protocol, of extend()");
  return (options) => defineClient(protocol.client, options);
}

/** Creates a client that speaks the protocol of this table. */
export function defineClient<A, C, H, Own>(
  role: ClientRole,
  options: ClientOptions<A, C, H, Own>,
): ClientDefinition<A, C> {
  const connector: ClientConnector<unknown> = createConnector(clientDialect, readAnswersOfOtherVersions(role), options);
  // The methods that `protocol` adds exist only in the types; calls of them go through as they are.
  return connector as ClientDefinition<A, C>;
}

import { clientTable } from "@acp/schema/v1";
import type { AgentMethods, ClientMethods, Implementation, Received } from "@acp/schema/v1/types";
import type { DiagnosticListener } from "../base/diagnostics.ts";
import type { Protocol } from "../rpc/extend.ts";
import type { IncomingLimits } from "../rpc/incoming-limits.ts";
import type { Checked } from "../rpc/methods.ts";
import type { ClientRole } from "../rpc/role.ts";
import type { MessageValidator } from "../transport/message-validator.ts";
import type { GateMode } from "../session/rules/call-rules.ts";
import type { StallOptions } from "../session/client/stall-watch.ts";
import type { UnreadUpdatesOptions } from "../session/client/updates/unread-updates.ts";
import { type ClientConnector, createConnector } from "../session/client/client-connector.ts";
import { clientDialect } from "./client-dialect.ts";
import type { ChooseLogin as ChooseLoginOf, LoginRequest as LoginRequestOf } from "../session/client/client-login.ts";
import type { ExtensionHandlers } from "../session/handler-table.ts";
import type { ClientContext, ClientHandlers } from "./client-handlers.ts";
import type { ConnectedAgent } from "./connected-agent.ts";
import type { ClientCapabilitiesOf } from "./protocol-types.ts";

/** A call that the agent refused until somebody logs in: what to show when you ask the user how. */
export type LoginRequest = LoginRequestOf<Received.AuthMethod, Received.Implementation>;

/**
 * Chooses a way to log in: the id of an offered method that is not of type terminal (AUTH-06), or
 * `undefined` or `null` to give up.
 */
export type ChooseLogin = ChooseLoginOf<LoginRequest>;

/** What makes a client. `Own` are the handlers the protocol does not declare. */
export interface ClientOptions<A, C, H, Own = unknown> extends IncomingLimits {
  /** Name and version, shown to users (INIT-04). */
  readonly info: Implementation;
  /**
   * Capabilities that no handler implies: elicitation modes, notices, compaction, boolean options, terminal login, `_meta`. The
   * rest follows from the handlers: five `terminal/*` handlers advertise `terminal`.
   */
  readonly capabilities?: ClientCapabilitiesOf<A> | undefined;
  /**
   * Handlers by wire method. Without one for `session/request_permission`, the client chooses the first option that rejects (or
   * `cancelled` if there is none), and reports it.
   */
  readonly handlers?: (ClientHandlers<C, A> & Own & Checked<H, C, Own>) | undefined;
  /** What happens to a call that the agent did not advertise: `enforce` (default) rejects it, `diagnose` sends it. */
  readonly gate?: GateMode | undefined;
  /**
   * Chooses how to log in when the agent answers a call with `-32000`. The client then calls `authenticate` with the id
   * that is returned, and makes the refused call once more (AUTH-10), also after a logout (AUTH-20).
   *
   * Without this option, or when it returns `undefined`, the call rejects with the agent's error. Calls that are refused at the
   * same time share one login. A call that is cancelled or given up stops waiting; when no call waits any more, the `signal` of
   * the request aborts. A prompt is repeated only if the agent had sent no update of its turn.
   *
   * ```ts
   * authenticate: async ({ methods }) => methods.find(({ type = "agent" }) => type === "agent")?.id
   * ```
   */
  readonly authenticate?: ChooseLogin | undefined;
  /**
   * Checks every message to the letter of the protocol, for development: `strictValidator` of
   * `@acp/validators/v1/strict`. Default: the client checks only what is cheap to check or dangerous to
   * ignore, and tolerates other mistakes of the agent where the protocol asks for it.
   */
  readonly validate?: MessageValidator | undefined;
  /**
   * What to do when nothing happens in a turn any more; `prompt` can change it for one turn. Default: after five minutes a
   * `stalled` diagnostic, and the turn goes on.
   */
  readonly stall?: StallOptions | undefined;
  /**
   * How many updates a loop over `updates` may leave unread, and what happens to more. Default: 100,000, and 256 Mi characters;
   * a loop that leaves more unread throws an `UnreadUpdatesError`.
   */
  readonly unreadUpdates?: UnreadUpdatesOptions | undefined;
  /** Called with everything unusual, see {@link Diagnostic}. Default: no listener. */
  readonly onDiagnostic?: DiagnosticListener | undefined;
}

/** A client, ready to connect to any number of agents. */
export interface ClientDefinition<out A = AgentMethods, out C = ClientMethods> extends ClientConnector<
  ConnectedAgent<A, C>
> {}

/**
 * Makes a client from its handlers.
 *
 * ```ts
 * const client = createClient({
 *   info: { name: "my-editor", version: "1.0.0" },
 *   handlers: { "session/update": ({ update }) => render(update) },
 * });
 * ```
 *
 * @throws {UsageError} if a handler is for no method of the protocol, handlers and capabilities contradict each other, or an
 * option is not what it may be.
 */
export function createClient<H extends object = object>(
  options: ClientOptions<AgentMethods, ClientMethods, H, ExtensionHandlers<ClientContext>>,
): ClientDefinition {
  return defineClient(clientTable, options);
}

/**
 * `createClient` for a protocol with extension methods, from {@link extend}: `createClientFor(acme)({ … })`. A handler of
 * an extension that the protocol does not declare does not compile.
 *
 * @throws {UsageError} as `createClient` does.
 */
export function createClientFor<A, C>(
  protocol: Protocol<A, C>,
): <H extends object = object>(options: ClientOptions<A, C, H>) => ClientDefinition<A, C> {
  return (options) => defineClient(protocol.client, options);
}

/** Makes a client that speaks the protocol of this table. */
export function defineClient<A, C, H, Own>(
  role: ClientRole,
  options: ClientOptions<A, C, H, Own>,
): ClientDefinition<A, C> {
  const connector: ClientConnector<unknown> = createConnector(clientDialect, role, options);
  // The methods that `protocol` adds exist only in the types; calls of them go through as they are.
  return connector as ClientDefinition<A, C>;
}

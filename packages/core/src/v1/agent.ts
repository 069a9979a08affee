import { agentTable } from "@acp/schema/v1";
import type { AgentMethods, AuthMethod, ClientMethods, Implementation } from "@acp/schema/v1/types";
import type { Protocol } from "../rpc/extend.ts";
import type { Awaitable, Checked } from "../rpc/methods.ts";
import type { Peer } from "../rpc/peer.ts";
import { type AgentDefinition, defineAgent } from "../session/agent/agent-definition.ts";
import type { OverlappingPrompts } from "../session/agent/agent-options.ts";
import type { AgentOptionMembers } from "../session/agent/public-members.ts";
import { agentDialect } from "./agent-dialect.ts";
import type { AgentContext, AgentHandlers } from "./agent-handlers.ts";
import type { ExtensionHandlers } from "../session/handler-table.ts";
import type { AgentSession, ClientDetails, SessionSetup } from "./agent-session.ts";
import type { AgentCapabilitiesOf, ReceivedClientCapabilitiesOf, UpdateOf } from "./protocol-types.ts";
import { requireObject } from "../base/require-argument.ts";
import { readMember } from "../base/values.ts";

export type { AgentConnection } from "../session/agent/agent-connection.ts";
export type { AgentDefinition } from "../session/agent/agent-definition.ts";

/** Handlers that have one for prompts, or may have one: the type {@link AgentHandlers} does not show it. */
type WithPrompt<H> = "session/prompt" extends keyof H ? unknown : { readonly "session/prompt": object };

/**
 * Options of {@link createAgent}. `S` is the state of a session; `Own` are the handlers that the protocol does not
 * declare.
 */
export interface AgentOptions<A, C, S, H, Own = unknown> extends AgentOptionMembers<
  Implementation,
  Peer<C> & ClientDetails<A>,
  SessionSetup<A>,
  S
> {
  /**
   * Capabilities that do not follow from a handler: content kinds in prompts, MCP transports, additional directories,
   * `_meta`. The others follow from the handlers: a `session/load` handler advertises `loadSession`.
   */
  readonly capabilities?: AgentCapabilitiesOf<A> | undefined;
  /**
   * The login methods: a list, or a function of the client's capabilities. Methods of type `agent` need an
   * `authenticate` handler. Methods of type `terminal` are left out, with a diagnostic, for clients that do not
   * advertise `auth.terminal`; `gate: "diagnose"` sends them anyway. Default: none.
   */
  readonly authMethods?:
    | readonly AuthMethod[]
    | ((client: ReceivedClientCapabilitiesOf<A>) => Awaitable<readonly AuthMethod[]>)
    | undefined;
  /**
   * The handlers, by method name. `session/prompt` is required. Without a handler for `session/new`, the agent opens a
   * session with a new id.
   */
  readonly handlers: AgentHandlers<A, C, S> & Own & Checked<H, A, Own> & WithPrompt<H>;
  /**
   * Called with each `session/update` after the agent has sent it. Save the updates to replay them in a `session/load`
   * handler (SESS-06). They do not include the user's messages: save those in the prompt handler, and replay them with
   * `userMessage` of `@acp/core/agent`. It is not called for updates that the `session/load` handler sends, because
   * they are replayed. If it throws or rejects, a diagnostic reports it.
   */
  readonly onUpdate?: ((update: UpdateOf<C>, session: AgentSession<S, C, A>) => void) | undefined;
  /**
   * What to do with a prompt that arrives while a turn is running in its session: `refuse` it (the default), `queue`
   * it, `replace` the turn, or run it `alongside`. See {@link OverlappingPrompts}.
   */
  readonly overlappingPrompts?: OverlappingPrompts | undefined;
}

/**
 * Creates an agent from its handlers.
 *
 * ```ts
 * const agent = createAgent({
 *   info: { name: "hello", version: "1.0.0" },
 *   handlers: {
 *     "session/prompt": async (_params, { turn }) => {
 *       await turn.message("Hello.");
 *       return { stopReason: "end_turn" };
 *     },
 *   },
 * });
 * ```
 *
 * @throws {UsageError} if there is no handler for `session/prompt`, a handler's method is not in the protocol,
 * handlers, capabilities and login methods contradict each other, or a limit is invalid.
 */
export function createAgent<S = undefined, H extends object = object>(
  options: AgentOptions<AgentMethods, ClientMethods, S, H, ExtensionHandlers<AgentContext>>,
): AgentDefinition {
  return defineAgent(agentDialect, agentTable, options);
}

/**
 * Like `createAgent`, for a protocol with extension methods that {@link extend} returns: `createAgentFor(acme)({ … })`.
 *
 * The call has two steps so that the compiler knows the methods before it infers handlers and session state. A handler
 * for an extension that the protocol does not declare does not compile, so misspelt names are found.
 *
 * @throws {UsageError} as `createAgent` does.
 */
export function createAgentFor<A, C>(
  protocol: Protocol<A, C>,
): <S = undefined, H extends object = object>(options: AgentOptions<A, C, S, H>) => AgentDefinition {
  requireObject(readMember(protocol, "agent"), "createAgentFor() takes a protocol, of extend()");
  return (options) => defineAgent(agentDialect, protocol.agent, options);
}

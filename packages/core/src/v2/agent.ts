import { agentTable } from "@acp/schema/v2";
import type { AgentMethods, AuthMethod, ClientMethods, Implementation } from "@acp/schema/v2/types";
import type { Protocol } from "../rpc/extend.ts";
import type { Awaitable, Checked } from "../rpc/methods.ts";
import type { Peer } from "../rpc/peer.ts";
import { type AgentDefinition, defineAgent } from "../session/agent/agent-definition.ts";
import type { OverlappingPrompts } from "../session/agent/agent-options.ts";
import type { AgentOptionMembers } from "../session/agent/public-members.ts";
import type { ExtensionHandlers } from "../session/handler-table.ts";
import { agentDialect } from "./agent-dialect.ts";
import type { AgentContext, AgentHandlers, HandledMethods } from "./agent-handlers.ts";
import type { AgentSession, ClientDetails, SessionSetup } from "./agent-session.ts";
import type { AgentCapabilitiesOf, ReceivedClientCapabilitiesOf, UpdateOf } from "./protocol-types.ts";
import { requireObject } from "../base/require-argument.ts";
import { readMember } from "../base/values.ts";

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
   * `_meta`. `session` is always advertised. The others follow from the handlers: a `session/delete` handler advertises
   * `session.delete`.
   */
  readonly capabilities?: AgentCapabilitiesOf<A> | undefined;
  /**
   * The login methods: a list, or a function of the client's capabilities. An agent with login methods needs handlers
   * for `auth/login` and `auth/logout`. Methods of type `terminal` are left out, with a diagnostic, for clients that do
   * not advertise `auth.terminal`; `gate: "diagnose"` sends them anyway. Default: none.
   */
  readonly authMethods?:
    | readonly AuthMethod[]
    | ((client: ReceivedClientCapabilitiesOf<A>) => Awaitable<readonly AuthMethod[]>)
    | undefined;
  /**
   * The handlers, by method name. `session/prompt` is required. If you leave out another handler,
   *
   * - `session/new` opens a session with a new id, and `session/close` ends one,
   * - `session/list` returns an empty list, and `session/resume` fails with `-32002`, because the agent keeps no
   *   sessions,
   * - `tool_call/cancel` and `terminal/cancel` only abort the signal of a tool call or terminal that was reported as
   *   cancellable. They also do so before a handler runs. For anything else they fail with `-32602`, and no handler
   *   runs.
   */
  readonly handlers: AgentHandlers<A, C, S> & Own & Checked<H, HandledMethods<A, C>, Own> & WithPrompt<H>;
  /**
   * Called with each `session/update` after the agent has sent it, including the user's messages. Save the updates to
   * replay them in a `session/resume` handler. It is not called for updates that this handler sends, because they are
   * replayed, nor for a `state_update`, which is not part of the history. If it throws or rejects, a diagnostic reports
   * it.
   */
  readonly onUpdate?: ((update: UpdateOf<C>, session: AgentSession<S, C, A>) => void) | undefined;
  /**
   * What to do with a prompt that arrives while a turn is running in its session: `refuse` it, `queue` it (the
   * default), `replace` the turn, or run it `alongside`. A queued prompt is not accepted yet: its response waits too,
   * and is error `-32800` if the prompt is cancelled meanwhile. See {@link OverlappingPrompts}.
   */
  readonly overlappingPrompts?: OverlappingPrompts | undefined;
}

/**
 * Creates an agent of version 2 from its handlers. Version 2 is a draft, and this function may change with it.
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
 * A client that requests an older version gets error `-32022`. To serve both versions, see `agentOfVersions`.
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
 * Like `createAgent`, for a protocol with extension methods that {@link extend} returns: `createAgentFor(extend(v2,
 * …))({ … })`.
 *
 * The call has two steps so that the compiler knows the methods before it infers handlers and session state.
 *
 * @throws {UsageError} as `createAgent` does.
 */
export function createAgentFor<A, C>(
  protocol: Protocol<A, C>,
): <S = undefined, H extends object = object>(options: AgentOptions<A, C, S, H>) => AgentDefinition {
  requireObject(readMember(protocol, "agent"), "createAgentFor() takes a protocol, of extend()");
  return (options) => defineAgent(agentDialect, protocol.agent, options);
}

import { agentTable } from "@acp/schema/v2";
import type { AgentMethods, AuthMethod, ClientMethods, Implementation } from "@acp/schema/v2/types";
import type { DiagnosticListener } from "../base/diagnostics.ts";
import type { Protocol } from "../rpc/extend.ts";
import type { IncomingLimits } from "../rpc/incoming-limits.ts";
import type { Awaitable, Checked } from "../rpc/methods.ts";
import type { MetaOptions, Peer } from "../rpc/peer.ts";
import { type AgentDefinition, defineAgent } from "../session/agent/agent-definition.ts";
import type { OverlappingPrompts } from "../session/agent/agent-options.ts";
import type { GateMode } from "../session/rules/call-rules.ts";
import type { MessageValidator } from "../transport/message-validator.ts";
import type { ExtensionHandlers } from "../session/handler-table.ts";
import { agentDialect } from "./agent-dialect.ts";
import type { AgentContext, AgentHandlers, HandledMethods } from "./agent-handlers.ts";
import type { AgentSession, ClientDetails, SessionSetup } from "./agent-session.ts";
import type { AgentCapabilitiesOf, ReceivedClientCapabilitiesOf, UpdateOf } from "./protocol-types.ts";

/** Handlers that have one for prompts, or may have: what is annotated as {@link AgentHandlers} does not say. */
type WithPrompt<H> = "session/prompt" extends keyof H ? unknown : { readonly "session/prompt": object };

/**
 * Options of {@link createAgent}. `S` is the state of a session; `Own` are the handlers that the protocol does not
 * declare.
 */
export interface AgentOptions<A, C, S, H, Own = unknown> extends IncomingLimits {
  /** The agent's name and version, shown to users. */
  readonly info: Implementation;
  /**
   * Called when a client calls `initialize`. The response waits for it. Use it for work that depends on the client,
   * such as starting a backend. If it throws, the client gets an error, as from a handler. It is called again if the
   * client calls `initialize` again, which it may do until it sends another request. `signal` aborts when the
   * connection ends: clean up then.
   *
   * Nothing reaches the client before the response. Notifications that you send here are sent after it, but their
   * promises resolve at once. Requests reject with a {@link UsageError}, because awaiting one here would deadlock.
   */
  readonly connected?: ((client: Peer<C> & ClientDetails<A>, signal: AbortSignal) => Awaitable<void>) | undefined;
  /**
   * Creates the state of a session, which handlers read as `session.state`. Called when a session opens, before the
   * handler of the opening method. If it throws, the client gets an error, as from a handler. Default: the state is
   * `undefined`. Put this option before `handlers` and `onUpdate`, so that TypeScript knows the type of the state
   * there.
   */
  readonly session?: ((setup: SessionSetup<A>) => Awaitable<S>) | undefined;
  /**
   * Creates the id of a new session. If a session with this id is open, the request fails with `-32603`. Default: a
   * random UUID. A handler of `session/new` may return an id of its own instead.
   */
  readonly sessionId?: (() => string) | undefined;
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
  /**
   * Makes a relative path absolute in requests that open or list sessions. With `resolve` of `node:path`, paths are
   * relative to the directory of this process. A diagnostic reports each path. `~/a`, `C:a`, URLs, an empty path, and a
   * result that is not absolute are still rejected. Default: every relative path is rejected with `-32602` (CONV-02).
   */
  readonly resolvePath?: ((path: string) => string) | undefined;
  /** Custom data for the response to `initialize`. */
  readonly _meta?: MetaOptions["_meta"];
  /**
   * What to do about a call for which the client lacks the capability: `enforce` (the default) rejects it, `diagnose`
   * sends it anyway.
   */
  readonly gate?: GateMode | undefined;
  /**
   * Checks every message strictly by the protocol, for development: pass `strictValidator` of
   * `@acp/validators/v2/strict`. Default: the agent checks what is cheap to check or dangerous to ignore, and tolerates
   * other mistakes of the client as the protocol asks.
   */
  readonly validate?: MessageValidator | undefined;
  /**
   * Called with everything unusual; see {@link Diagnostic}. Default: none, but `serveStdio` writes errors to stderr.
   */
  readonly onDiagnostic?: DiagnosticListener | undefined;
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
  return (options) => defineAgent(agentDialect, protocol.agent, options);
}

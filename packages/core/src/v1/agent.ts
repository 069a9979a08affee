import { agentTable } from "@acp/schema/v1";
import type { AgentMethods, AuthMethod, ClientMethods, Implementation } from "@acp/schema/v1/types";
import type { DiagnosticListener } from "../base/diagnostics.ts";
import type { Protocol } from "../rpc/extend.ts";
import type { IncomingLimits } from "../rpc/incoming-limits.ts";
import type { Awaitable, Checked } from "../rpc/methods.ts";
import type { MetaOptions, Peer } from "../rpc/peer.ts";
import { type AgentDefinition, defineAgent } from "../session/agent/agent-definition.ts";
import type { OverlappingPrompts } from "../session/agent/agent-options.ts";
import type { GateMode } from "../session/rules/call-rules.ts";
import type { MessageValidator } from "../transport/message-validator.ts";
import { agentDialect } from "./agent-dialect.ts";
import type { AgentContext, AgentHandlers } from "./agent-handlers.ts";
import type { ExtensionHandlers } from "../session/handler-table.ts";
import type { AgentSession, ClientDetails, SessionSetup } from "./agent-session.ts";
import type { AgentCapabilitiesOf, ReceivedClientCapabilitiesOf, UpdateOf } from "./protocol-types.ts";

export type { AgentConnection } from "../session/agent/agent-connection.ts";
export type { AgentDefinition } from "../session/agent/agent-definition.ts";

/** Handlers that have one for prompts, or may have: what is annotated as {@link AgentHandlers} does not say. */
type WithPrompt<H> = "session/prompt" extends keyof H ? unknown : { readonly "session/prompt": object };

/** What makes an agent. `S` is the state of a session; `Own` are the handlers the protocol does not declare. */
export interface AgentOptions<A, C, S, H, Own = unknown> extends IncomingLimits {
  /** Name and version, shown to users (INIT-06). */
  readonly info: Implementation;
  /**
   * Called when a client has called `initialize`, before that is answered, once for each connection: for work that needs
   * to know the client, such as to start a backend. The answer waits for it. What it throws is answered like what a
   * handler throws, and the client may call `initialize` again. `signal` aborts when the connection ends: clean up on it.
   *
   * Nothing may go to the client before the answer. Notifications sent earlier wait for it, but their promises resolve at
   * once. Requests reject with a {@link UsageError}: one that is awaited here would wait for itself.
   */
  readonly connected?: ((client: Peer<C> & ClientDetails<A>, signal: AbortSignal) => Awaitable<void>) | undefined;
  /**
   * Makes the state of a session that is being opened: `session.state` in handlers. Runs before the handler of the
   * opening method. What it throws is answered like what a handler throws. Default: the state is `undefined`. Write it
   * before `handlers` and `onUpdate`, so that the type of the state is known there.
   */
  readonly session?: ((setup: SessionSetup<A>) => Awaitable<S>) | undefined;
  /**
   * Makes the id of a new session. It must not be that of an open session: then the answer is `-32603`. Default: a random
   * UUID. Ids mean nothing to clients, so `session-1`, `session-2` will do as well. A handler of `session/new` may
   * answer with an id of its own instead.
   */
  readonly sessionId?: (() => string) | undefined;
  /**
   * What no handler can show: prompt content kinds, MCP transports, additional directories, `_meta`.
   * The rest follows from the handlers: a `session/load` handler advertises `loadSession`.
   */
  readonly capabilities?: AgentCapabilitiesOf<A> | undefined;
  /**
   * Ways to log in: a list, or a function of the client's capabilities. Those of type agent need an `authenticate`
   * handler. Those of type terminal are left out, with a diagnostic, for clients that do not advertise `auth.terminal`;
   * `gate: "diagnose"` sends them. Default: none.
   */
  readonly authMethods?:
    | readonly AuthMethod[]
    | ((client: ReceivedClientCapabilitiesOf<A>) => Awaitable<readonly AuthMethod[]>)
    | undefined;
  /** Handlers by wire method. `session/prompt` is required; without one, `session/new` opens a session with a new id. */
  readonly handlers: AgentHandlers<A, C, S> & Own & Checked<H, A, Own> & WithPrompt<H>;
  /**
   * Called with each `session/update` once it is on its way: save these to replay them in a `session/load` handler
   * (SESS-06). What the user said is not among them: keep it in the prompt handler, and replay it with `userMessage` of
   * `@acp/core/agent`. Updates that the `session/load` handler itself sends are left out, since they are repetitions.
   * If it throws, or rejects, a diagnostic tells.
   */
  readonly onUpdate?: ((update: UpdateOf<C>, session: AgentSession<S, C, A>) => void) | undefined;
  /**
   * What to do with a prompt that comes while a turn runs in its session: `refuse` (default) it, `queue` it, let it
   * `replace` the turn, or run it `alongside`. See {@link OverlappingPrompts}.
   */
  readonly overlappingPrompts?: OverlappingPrompts | undefined;
  /**
   * Makes a relative path absolute that a session is opened with, or sessions are listed by: `resolve` of `node:path` takes it
   * as one in the directory of this process. A diagnostic reports each. `~/a`, `C:a`, URLs and an empty path stay refused, and
   * so does what the function returns if it is not absolute. Default: every relative path is answered `-32602` (CONV-02).
   */
  readonly resolvePath?: ((path: string) => string) | undefined;
  /** Custom data for the answer to `initialize` (EXT-01). */
  readonly _meta?: MetaOptions["_meta"];
  /** What to do about a call that the client did not advertise: `enforce` (default) rejects it, `diagnose` sends it. */
  readonly gate?: GateMode | undefined;
  /**
   * Checks every message to the letter of the protocol, for development: `strictValidator` of
   * `@acp/validators/v1/strict`. Default: only what is cheap to check or dangerous to ignore is checked, and other
   * mistakes of the client are tolerated where the protocol asks for it.
   */
  readonly validate?: MessageValidator | undefined;
  /** Called with everything unusual, see {@link Diagnostic}. Default: nobody, but `serveStdio` writes errors to stderr. */
  readonly onDiagnostic?: DiagnosticListener | undefined;
}

/**
 * Makes an agent from its handlers.
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
 * @throws {UsageError} if there is no handler for `session/prompt`, a handler is for no method of the protocol, or
 * handlers, capabilities and login methods contradict each other, or a limit is not what it may be.
 */
export function createAgent<S = undefined, H extends object = object>(
  options: AgentOptions<AgentMethods, ClientMethods, S, H, ExtensionHandlers<AgentContext>>,
): AgentDefinition {
  return defineAgent(agentDialect, agentTable, options);
}

/**
 * `createAgent` for a protocol with extension methods, from {@link extend}: `createAgentFor(acme)({ … })`.
 *
 * It takes two steps so that the compiler knows the methods before it infers handlers and session state. A handler of
 * an extension that the protocol does not declare does not compile: so a misspelt name is found.
 *
 * @throws {UsageError} as `createAgent` does.
 */
export function createAgentFor<A, C>(
  protocol: Protocol<A, C>,
): <S = undefined, H extends object = object>(options: AgentOptions<A, C, S, H>) => AgentDefinition {
  return (options) => defineAgent(agentDialect, protocol.agent, options);
}

import {
  type AgentMethods,
  agentTable,
  type AuthMethod,
  type ClientMethods,
  type Implementation,
  type SessionUpdate,
} from "@acp/schema/v1";
import type { DiagnosticListener } from "../diagnostics.ts";
import { UsageError } from "../errors.ts";
import type { Protocol } from "../protocol/extend.ts";
import type { Awaitable, Checked } from "../protocol/methods.ts";
import type { MetaOptions } from "../protocol/peer.ts";
import type { AgentRole } from "../protocol/role.ts";
import { type MessageValidator, validated } from "../transport/message-validator.ts";
import type { Transport } from "../transport/transport.ts";
import { connectAgent } from "./agent-connection.ts";
import type { AgentContext, AgentHandlers, ExtensionHandlers } from "./agent-handlers.ts";
import type { AgentSession, SessionSetup } from "./agent-session.ts";
import type { GateMode } from "./call-rules.ts";
import { deriveCapabilities } from "./capabilities.ts";
import { collectHandlers } from "./handler-table.ts";
import type { OpenSession } from "./open-session.ts";
import type { AgentCapabilitiesOf, ReceivedClientCapabilitiesOf, UpdateOf } from "./vocabulary.ts";

/** Handlers that have one for prompts, or may have: what is annotated as {@link AgentHandlers} does not say. */
type WithPrompt<H> = "session/prompt" extends keyof H ? unknown : { readonly "session/prompt": object };

/** What makes an agent. `S` is the state of a session; `Own` are the handlers the protocol does not declare. */
export interface AgentOptions<A, C, S, H, Own = unknown> {
  /** Name and version, shown to users (INIT-06). */
  readonly info: Implementation;
  /**
   * Makes the state of a session that is being opened. Runs before the handler of the opening method;
   * what it throws becomes the answer.
   */
  readonly session?: (setup: SessionSetup<A>) => Awaitable<S>;
  /**
   * Makes the id of a new session; must not repeat. Default: a random UUID. Ids mean nothing to clients,
   * so `session-1`, `session-2` will do as well.
   */
  readonly sessionId?: () => string;
  /**
   * What no handler can show: prompt content kinds, MCP transports, additional directories, `_meta`.
   * The rest follows from the handlers: a `session/load` handler advertises `loadSession`.
   */
  readonly capabilities?: AgentCapabilitiesOf<A>;
  /** Ways to log in, fixed or depending on the client. Those of type agent need an `authenticate` handler. */
  readonly authMethods?:
    | readonly AuthMethod[]
    | ((client: ReceivedClientCapabilitiesOf<A>) => Awaitable<readonly AuthMethod[]>);
  /** Handlers by wire method. `session/prompt` is required; `session/new` has a default. */
  readonly handlers: AgentHandlers<A, C, S> & Own & Checked<H, A, Own> & WithPrompt<H>;
  /**
   * Told of every `session/update` of a session once it is on its way, but not of those that the `session/load` handler
   * sends, which repeat what was: so it is told what that has to replay (SESS-06), beside what the user said, which the
   * prompt handler keeps and `userMessage` of `@acp/core/agent` sends. What it throws is told by a diagnostic.
   */
  readonly onUpdate?: (update: UpdateOf<C>, session: AgentSession<S, C, A>) => void;
  /** Custom data for the answer to `initialize` (EXT-01). */
  readonly _meta?: MetaOptions["_meta"];
  /** What a call does that the client did not advertise: `enforce` (default) rejects it, `diagnose` sends it. */
  readonly gate?: GateMode;
  /**
   * Holds every message to the letter of the protocol, for development: `strictValidator` of
   * `@acp/validators/v1/strict`. Default: what is cheap and what is dangerous is checked, and the rest of what
   * the client does wrong is tolerated where the protocol asks for it.
   */
  readonly validate?: MessageValidator | undefined;
  /** Told of everything unusual; see {@link Diagnostic}. */
  readonly onDiagnostic?: DiagnosticListener;
}

/** An agent, ready to serve any number of connections. */
export interface AgentDefinition {
  /** The definition's own listener, if it has one. */
  readonly onDiagnostic?: DiagnosticListener | undefined;
  /** Serves one client over a transport. `onDiagnostic` replaces the definition's own. */
  connect(transport: Transport, options?: { readonly onDiagnostic?: DiagnosticListener | undefined }): AgentConnection;
}

/** One connection of an agent. */
export interface AgentConnection {
  /** Settles, never rejects, when the client is gone and running handlers had their chance to answer. */
  readonly closed: Promise<void>;
  /** Ends it: sessions and turns are aborted, what was sent is flushed. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
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
 * @throws {UsageError} if handlers, capabilities and login methods contradict each other.
 */
export function createAgent<S = undefined, H extends object = object>(
  options: AgentOptions<AgentMethods, ClientMethods, S, H, ExtensionHandlers<AgentContext>>,
): AgentDefinition {
  return defineAgent(agentTable, options);
}

/**
 * `createAgent` for a protocol with extension methods, from {@link extend}: `createAgentFor(acme)({ … })`.
 *
 * In two steps, so that the compiler knows the methods before it infers handlers and session state. It takes a handler
 * of an extension only if the protocol declares it, so that a misspelt one does not compile.
 */
export function createAgentFor<A, C>(
  protocol: Protocol<A, C>,
): <S = undefined, H extends object = object>(options: AgentOptions<A, C, S, H>) => AgentDefinition {
  return (options) => defineAgent(protocol.agent, options);
}

/** Makes an agent that speaks the protocol of this table. */
export function defineAgent<A, C, S, H, Own>(
  table: AgentRole,
  options: AgentOptions<A, C, S, H, Own>,
): AgentDefinition {
  const handlers = collectHandlers(table, options.handlers ?? {}, new Set(["initialize"]));
  if (!handlers.has("session/prompt")) throw new UsageError("An agent needs a handler for session/prompt (INIT-16)");
  const { authMethods = [] } = options;
  const fixed = typeof authMethods === "function" ? [] : authMethods;
  if (fixed.some((method) => method.type !== "terminal") && !handlers.has("authenticate")) {
    throw new UsageError("authMethods offers a login by authenticate, but there is no handler for it (INIT-17)");
  }
  // The default session/new counts as a handler.
  const handled = new Set([...handlers.keys(), "session/new"]);
  const capabilities = deriveCapabilities(table, handled, options.capabilities ?? {});
  return {
    onDiagnostic: options.onDiagnostic,
    connect: (transport, { onDiagnostic = options.onDiagnostic } = {}) =>
      connectAgent({
        table,
        handlers,
        info: options.info,
        capabilities,
        _meta: options._meta,
        authMethods: async (client) =>
          typeof authMethods === "function"
            ? await authMethods(client as ReceivedClientCapabilitiesOf<A>)
            : authMethods,
        // Decoded by the tables of the protocol, so of its types.
        session: (setup) => options.session?.(setup as unknown as SessionSetup<A>),
        // The state of the sessions comes from `options.session`, and so has its type.
        onUpdate: options.onUpdate as ((update: SessionUpdate, session: OpenSession) => void) | undefined,
        sessionId: options.sessionId ?? (() => crypto.randomUUID()),
        gate: options.gate ?? "enforce",
        transport: validated(options.validate, transport, "agent", onDiagnostic),
        onDiagnostic,
      }),
  };
}

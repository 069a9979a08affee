import type { DiagnosticListener } from "../../base/diagnostics.ts";
import type { IncomingLimits } from "../../rpc/incoming-limits.ts";
import type { Awaitable } from "../../rpc/methods.ts";
import type { MetaOptions } from "../../rpc/peer.ts";
import type { MessageValidator } from "../../transport/message-validator.ts";
import type { GateMode } from "../rules/call-rules.ts";
import type { MessageOptions } from "./message-stream.ts";
import type { Text } from "./send-content.ts";

// The options of agents, and the members that their sessions, turns and contexts have, in every version.

/** The options of an agent, in any version. `Client` is the type of a client, `Setup` that of the params that open a session. */
export interface AgentOptionMembers<Info, Client, Setup, S> extends IncomingLimits {
  /** The agent's name and version, shown to users (INIT-06). */
  readonly info: Info;
  /**
   * Called when a client calls `initialize`. The response waits for it. Use it for work that depends on the client,
   * such as starting a backend. If it throws, the client gets an error, as from a handler, and may call `initialize`
   * again. In version 2, a client may also do so until it sends another request. `signal` aborts when the connection
   * ends: clean up then.
   *
   * Nothing reaches the client before the response. Notifications that you send here are sent after it, but their
   * promises resolve at once. Requests reject with a {@link UsageError}, because awaiting one here would deadlock.
   */
  readonly connected?: ((client: Client, signal: AbortSignal) => Awaitable<void>) | undefined;
  /**
   * Creates the state of a session, which handlers read as `session.state`. Called when a session opens, before the
   * handler of the opening method. If it throws, the client gets an error, as from a handler. Default: the state is
   * `undefined`. Put this option before `handlers` and `onUpdate`, so that TypeScript knows the type of the state
   * there.
   */
  readonly session?: ((setup: Setup) => Awaitable<S>) | undefined;
  /**
   * Creates the id of a new session. If a session with this id is open, the request fails with `-32603`. Default: a
   * random UUID. Clients do not interpret ids, so `session-1`, `session-2` work as well. A handler of `session/new` may
   * return an id of its own instead.
   */
  readonly sessionId?: (() => string) | undefined;
  /**
   * Makes a relative path absolute in requests that open or list sessions. With `resolve` of `node:path`, paths are
   * relative to the directory of this process. A diagnostic reports each path. `~/a`, `C:a`, URLs, an empty path, and a
   * result that is not absolute are still rejected. Default: every relative path is rejected with `-32602` (CONV-02).
   */
  readonly resolvePath?: ((path: string) => string) | undefined;
  /** Custom data for the response to `initialize` (EXT-01). */
  readonly _meta?: MetaOptions["_meta"];
  /**
   * What to do about a call for which the client lacks the capability: `enforce` (the default) rejects it, `diagnose`
   * sends it anyway.
   */
  readonly gate?: GateMode | undefined;
  /**
   * Checks every message strictly by the protocol, for development: pass `strictValidator` of
   * `@acp/validators/v1/strict`, or of `v2/strict` in version 2. Default: the agent makes the checks that are cheap or prevent
   * danger, and tolerates other mistakes of the client as the protocol asks.
   */
  readonly validate?: MessageValidator | undefined;
  /**
   * Called with everything unusual; see {@link Diagnostic}. Default: none, but `serveStdio` writes errors to stderr.
   */
  readonly onDiagnostic?: DiagnosticListener | undefined;
}

/** The client's part of `initialize`, in any version. */
export interface ClientDetailMembers<out Capabilities, out Info> {
  /** The capabilities that the client advertised. An absent capability is not supported (INIT-12). */
  readonly capabilities: Capabilities;
  /** The client's name and version; `undefined` if it sent none, and before `initialize`. */
  readonly info: Info | undefined;
  /** The `_meta` of the request; empty if there was none (EXT-01). */
  readonly meta: { readonly [key: string]: unknown };
}

/** The params that open a session, in any version. */
export interface SetupMembers<out Server> {
  /** The id of the session. For `session/new`, it is a proposal: the handler may return another id. */
  readonly sessionId: string;
  /** The working directory, an absolute path and the base for relative ones (SESS-18, SESS-20). */
  readonly cwd: string;
  /** Further workspace roots besides `cwd`, as absolute paths (SESS-24). */
  readonly additionalDirectories: readonly string[];
  /** The MCP servers that the agent should connect to (MCP-05). */
  readonly mcpServers: readonly Server[];
  /**
   * Aborts when the session ends. It can abort while the session is still opening, if the client cancels the request or
   * is gone.
   */
  readonly signal: AbortSignal;
}

/** A session on the agent's side, in any version. */
export interface AgentSessionMembers<out S, out Server, out Client, in Update> {
  /** The id of the session. Until the response to `session/new`, it is a proposal that the handler may replace. */
  readonly id: string;
  /** The working directory that the session was opened with, an absolute path. */
  readonly cwd: string;
  /** Further workspace roots that the session was opened with, as absolute paths. */
  readonly additionalDirectories: readonly string[];
  /** The MCP servers that the session was opened with. */
  readonly mcpServers: readonly Server[];
  /** The `_meta` of the params that the session was opened with; empty if there was none (EXT-01). */
  readonly meta: { readonly [key: string]: unknown };
  /** The value that the option `session` of `createAgent` returned. You may change it. */
  state: S;
  /** Aborts when the session is closed, deleted or reopened, or the client is gone. Clean up then. */
  readonly signal: AbortSignal;
  /** The client, and its part of `initialize`. Calls are for this session, so they need no `sessionId`. */
  readonly client: Client;
  /**
   * Sends a `session/update`. Await it: the promise stays pending while the client is slow to read. While the response
   * to `session/new` is pending, updates are queued, and sent right after the response.
   *
   * @throws {CapabilityError} if the client does not support the kind of update; nothing was sent.
   * @throws {UsageError} if the session has ended or is being reopened (this never counts as an unhandled rejection),
   * or the update breaks a rule, for example with a relative path; nothing was sent.
   * @throws {MessageTooLargeError} if the update is over the size limit; nothing was sent.
   * @throws {ConnectionClosedError} if the connection has ended.
   */
  update(update: Update): Promise<void>;
  /**
   * Like `update`, for an update that nothing depends on. If the client does not support it, it is left out, with a
   * diagnostic. Resolves with whether it was sent.
   */
  offer(update: Update): Promise<boolean>;
}

/** A turn on the agent's side, in any version. */
export interface AgentTurnMembers<out Session, in Block, in Update> {
  /** Aborts on `session/cancel` and `$/cancel_request`, when the session ends, and when the client is gone. */
  readonly signal: AbortSignal;
  /** The session that the turn belongs to. */
  readonly session: Session;
  /** Whether the turn has ended. */
  readonly ended: boolean;
  /**
   * Sends part of the agent's message: a text, a stream of texts (an async iterable), or a content block. Consecutive
   * texts and blocks form one message with one id, until something else comes in between (a thought, a tool call, a
   * plan, a question), `_meta` differs, or `newMessage` is set. An async iterable is always a separate message. Empty
   * texts are not sent.
   *
   * If the turn is cancelled, an async iterable is not read any further: its `return` is called, and the promise
   * rejects with the signal's reason.
   */
  message(content: Text | Block, options?: MessageOptions): Promise<void>;
  /** Sends part of the agent's reasoning, in the same way. */
  thought(content: Text | Block, options?: MessageOptions): Promise<void>;
  /** Sends any other update; see {@link AgentSession.update}. */
  update(update: Update): Promise<void>;
  /** Sends an update if the client supports it; see {@link AgentSession.offer}. */
  offer(update: Update): Promise<boolean>;
}

/** The second argument of an agent's handler, in any version. `Id` is the type of the request's id. */
export interface AgentContextMembers<out Client, out Id> {
  /** The client, and its part of `initialize`. If there is a session, calls are for it, so they need no `sessionId`. */
  readonly client: Client;
  /** Aborts when the client cancels this request with `$/cancel_request`, or is gone. */
  readonly signal: AbortSignal;
  /** The id of the request, as the client sent it; `undefined` for a notification. */
  readonly requestId: Id;
}

/** A tool call that the agent has reported to the client, in any version. */
export interface ReportedCallMembers<out Turn, in Change, in Output> {
  /** The id of the tool call. */
  readonly id: string;
  /** The turn that reported the tool call first. */
  readonly turn: Turn;
  /** Reports a change. `content` and `locations` replace the previous values (TOOL-05). */
  update(change: Change): Promise<void>;
  /** Reports success with status `completed`. `content` replaces the previous content, if you pass it. */
  complete(content?: Output, options?: MetaOptions): Promise<void>;
  /** Reports failure with status `failed`. `content` tells the user what went wrong (TOOL-08). */
  fail(content?: Output, options?: MetaOptions): Promise<void>;
}

import type { AgentMethods, ClientMethods, Received } from "@acp/schema/v1/types";
import type { SessionPeer } from "../rpc/peer.ts";
import type { ReceivedParamsOf } from "../rpc/methods.ts";
import type { OpeningMethod, ReceivedClientCapabilitiesOf, ReceivedMcpServerOf, UpdateOf } from "./protocol-types.ts";

/** The request that opens a session: `session/new`, `session/load`, `session/resume` … */
export type SessionSetup<A = AgentMethods> = {
  [K in Extract<keyof A, OpeningMethod>]: SetupParts<A> & {
    /** The method that opens the session. */
    readonly method: K;
    /** The params of that method, as received. */
    readonly params: ReceivedParamsOf<A, K>;
  };
}[Extract<keyof A, OpeningMethod>];

interface SetupParts<A> {
  /** The id of the session. For `session/new`, it is a proposal: the handler may return another id. */
  readonly sessionId: string;
  /** The working directory, an absolute path and the base for relative ones (SESS-18, SESS-20). */
  readonly cwd: string;
  /** Further workspace roots besides `cwd`, as absolute paths (SESS-24). */
  readonly additionalDirectories: readonly string[];
  /** The MCP servers that the agent should connect to (MCP-05). */
  readonly mcpServers: readonly ReceivedMcpServerOf<A>[];
  /**
   * Aborts when the session ends. It can abort while the session is still opening, if the client cancels the request or
   * is gone.
   */
  readonly signal: AbortSignal;
}

/** What the client sent in `initialize`. */
export interface ClientDetails<A = AgentMethods> {
  /** The capabilities that the client advertised. An absent capability is not supported (INIT-12). */
  readonly capabilities: ReceivedClientCapabilitiesOf<A>;
  /** The client's name and version, if it sent them (INIT-04). */
  readonly info: Received.Implementation | undefined;
  /** The `_meta` of the request; empty if there was none (EXT-01). */
  readonly meta: { readonly [key: string]: unknown };
}

/** A session on the agent's side. */
export interface AgentSession<out S = undefined, out C = ClientMethods, out A = AgentMethods> {
  /** The id of the session. Until the response to `session/new`, it is a proposal that the handler may replace. */
  readonly id: string;
  /** The working directory that the session was opened with, an absolute path. */
  readonly cwd: string;
  /** Further workspace roots that the session was opened with, as absolute paths. */
  readonly additionalDirectories: readonly string[];
  /** The MCP servers that the session was opened with. */
  readonly mcpServers: readonly ReceivedMcpServerOf<A>[];
  /** The `_meta` of the params that the session was opened with; empty if there was none (EXT-01). */
  readonly meta: { readonly [key: string]: unknown };
  /** What the option `session` of `createAgent` returned. You may change it. */
  state: S;
  /** Aborts when the session is closed, deleted or reopened, or the client is gone. Clean up then. */
  readonly signal: AbortSignal;
  /** The client, and what it sent in `initialize`. Calls are for this session, so they need no `sessionId`. */
  readonly client: SessionPeer<C> & ClientDetails<A>;
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
  update(update: UpdateOf<C>): Promise<void>;
  /**
   * Like `update`, for an update that nothing depends on. If the client does not support it, it is left out, with a
   * diagnostic. Resolves with whether it was sent.
   */
  offer(update: UpdateOf<C>): Promise<boolean>;
}

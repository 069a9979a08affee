import type { AgentMethods, ClientMethods, Received } from "@acp/schema/v1/types";
import type { SessionPeer } from "../rpc/peer.ts";
import type { ReceivedParamsOf } from "../rpc/methods.ts";
import type { OpeningMethod, ReceivedClientCapabilitiesOf, ReceivedMcpServerOf, UpdateOf } from "./protocol-types.ts";

/** What a session is set up with, by any method that opens one: `session/new`, `session/load`, `session/resume` … */
export type SessionSetup<A = AgentMethods> = {
  [K in Extract<keyof A, OpeningMethod>]: SetupParts<A> & {
    /** The method that opens it. */
    readonly method: K;
    /** The params of that method, as they came. */
    readonly params: ReceivedParamsOf<A, K>;
  };
}[Extract<keyof A, OpeningMethod>];

interface SetupParts<A> {
  /** The id of the session; for `session/new` the one proposed for it: its handler may answer with another. */
  readonly sessionId: string;
  /** The working directory: the base for relative paths. Absolute (SESS-18, SESS-20). */
  readonly cwd: string;
  /** Further root folders beside `cwd`: absolute paths, often none (SESS-24). */
  readonly additionalDirectories: readonly string[];
  /** Servers the agent should connect to (MCP-05). */
  readonly mcpServers: readonly ReceivedMcpServerOf<A>[];
  /** Aborts when the session ends, also while it is being opened: the client takes that back, or goes. */
  readonly signal: AbortSignal;
}

/** What the client has told about itself in `initialize`. */
export interface ClientDetails<A = AgentMethods> {
  /** What it advertised; absent means unsupported (INIT-12). */
  readonly capabilities: ReceivedClientCapabilitiesOf<A>;
  /** Its name and version, if it told them (INIT-04). */
  readonly info: Received.Implementation | undefined;
  /** The `_meta` of its call; empty if there was none (EXT-01). */
  readonly meta: { readonly [key: string]: unknown };
}

/** A session as the agent sees it. */
export interface AgentSession<out S = undefined, out C = ClientMethods, out A = AgentMethods> {
  /** The id of the session; until `session/new` is answered the one proposed for it, which the answer may replace. */
  readonly id: string;
  /** The working directory that it was opened with; absolute. */
  readonly cwd: string;
  /** Further root folders that it was opened with: absolute paths, often none. */
  readonly additionalDirectories: readonly string[];
  /** The MCP servers that it was opened with, often none. */
  readonly mcpServers: readonly ReceivedMcpServerOf<A>[];
  /** The `_meta` of the params it was opened with; empty if there was none (EXT-01). */
  readonly meta: { readonly [key: string]: unknown };
  /** What the `session` option of `createAgent` made for it; yours to change. */
  state: S;
  /** Aborts when the session is closed, deleted or opened again, or the client goes. Clean up then. */
  readonly signal: AbortSignal;
  /** The client, and what it has told about itself. Calls are for this session: they need no `sessionId`. */
  readonly client: SessionPeer<C> & ClientDetails<A>;
  /**
   * Sends a `session/update`. Await it: the promise is pending while the client is slow to read. Until `session/new` is
   * answered, the client does not know the session: updates are kept, and sent right behind the answer.
   *
   * @throws {CapabilityError} if the client did not advertise the kind of update; nothing was sent.
   * @throws {UsageError} if the session has ended or is being opened again, which never counts as an unhandled rejection; or
   * the update breaks a rule, such as a relative path. Nothing was sent.
   * @throws {MessageTooLargeError} if it is over the size limit; nothing was sent.
   * @throws {ConnectionClosedError} if the connection has ended.
   */
  update(update: UpdateOf<C>): Promise<void>;
  /**
   * The same for an update that nothing depends on. If the client did not advertise to take it, it is left out, with a
   * diagnostic. Resolves with whether it was sent.
   */
  offer(update: UpdateOf<C>): Promise<boolean>;
}

import type { AgentMethods, ClientMethods, Received } from "@acp/schema/v2/types";
import type { Awaitable, ReceivedParamsOf } from "../rpc/methods.ts";
import type { SessionPeer } from "../rpc/peer.ts";
import type { AgentTurnContext } from "./agent-handlers.ts";
import type {
  BackgroundWorkOf,
  OpeningMethod,
  ReceivedClientCapabilitiesOf,
  ReceivedMcpServerOf,
  TurnEnd,
  UpdateOf,
} from "./protocol-types.ts";

/** What a session is set up with, by any method that opens one: `session/new`, `session/resume` … */
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
  /** The working directory: the base for relative paths. Absolute. */
  readonly cwd: string;
  /** Further root folders beside `cwd`: absolute paths, often none. */
  readonly additionalDirectories: readonly string[];
  /** Servers the agent should connect to. */
  readonly mcpServers: readonly ReceivedMcpServerOf<A>[];
  /** Aborts when the session ends, also while it is being opened: the client takes that back, or goes. */
  readonly signal: AbortSignal;
}

/** What the client has told about itself in `initialize`. */
export interface ClientDetails<A = AgentMethods> {
  /** What it advertised; absent means unsupported. */
  readonly capabilities: ReceivedClientCapabilitiesOf<A>;
  /** Its name and version; `undefined` before `initialize`. */
  readonly info: Received.Implementation | undefined;
  /** The `_meta` of its call; empty if there was none. */
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
  /** The `_meta` of the params it was opened with; empty if there was none. */
  readonly meta: { readonly [key: string]: unknown };
  /** What the `session` option of `createAgent` made for it; yours to change. */
  state: S;
  /** Aborts when the session is closed, deleted or resumed again, or the client goes. Clean up then, background work too. */
  readonly signal: AbortSignal;
  /**
   * The client, and what it has told about itself. Calls are for this session: they need no `sessionId`. A question that is
   * asked by it belongs to no turn: the session goes on as it was, and no cancel takes it back, but a close of the session.
   */
  readonly client: SessionPeer<C> & ClientDetails<A>;
  /**
   * Sends a `session/update`, in a turn or between turns. Await it: the promise is pending while the client is slow to
   * read. Until `session/new` is answered, updates are kept, and sent right behind the answer.
   *
   * A `state_update` is not for you to send: turns do it, and {@link setBackground}.
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
  /** What the client was told that the session is doing: its foreground work, not what goes on in the background. */
  readonly activity: "idle" | "running" | "requires_action";
  /**
   * Tells the client of all work that goes on in the background: tool calls and terminals that were announced before, and
   * that are not over. Every state that the session tells from then on has this list, until it is told another. What a
   * prompt handler returns as `background` counts as well.
   *
   * @throws {UsageError} as {@link update} does.
   */
  setBackground(background: readonly BackgroundWorkOf<C>[]): Promise<void>;
  /**
   * Runs a turn that no prompt asked for, such as an answer to background work that is done: the session is `running`
   * meanwhile, and idle again with what `work` returns. It begins at once, beside a turn that runs.
   *
   * Resolves when it has ended. Like a prompt handler, `work` may throw: the turn ends with stop reason `error`, or
   * `cancelled` if it was, and the promise resolves all the same.
   *
   * @throws {UsageError} if the session has ended or is being opened again, which never counts as an unhandled rejection.
   */
  run(work: (context: AgentTurnContext<S, C, A>) => Awaitable<TurnEnd<C>>): Promise<void>;
}

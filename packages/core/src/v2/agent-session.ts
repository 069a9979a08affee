import type { AgentMethods, ClientMethods, Received } from "@acp/schema/v2/types";
import type { Awaitable, ReceivedParamsOf } from "../rpc/methods.ts";
import type { SessionPeer } from "../rpc/peer.ts";
import type { AgentSessionMembers, ClientDetailMembers, SetupMembers } from "../session/agent/public-members.ts";
import type { AgentTurnContext } from "./agent-handlers.ts";
import type {
  BackgroundWorkOf,
  OpeningMethod,
  ReceivedClientCapabilitiesOf,
  ReceivedMcpServerOf,
  TurnEnd,
  UpdateOf,
} from "./protocol-types.ts";

/** The request that opens a session: `session/new`, `session/resume` … */
export type SessionSetup<A = AgentMethods> = {
  [K in Extract<keyof A, OpeningMethod>]: SetupMembers<ReceivedMcpServerOf<A>> & {
    /** The method that opens the session. */
    readonly method: K;
    /** The params of that method, as received. */
    readonly params: ReceivedParamsOf<A, K>;
  };
}[Extract<keyof A, OpeningMethod>];

/** The client's part of `initialize`. */
export interface ClientDetails<A = AgentMethods> extends ClientDetailMembers<
  ReceivedClientCapabilitiesOf<A>,
  Received.Implementation
> {}

/** A session on the agent's side. */
export interface AgentSession<
  out S = undefined,
  out C = ClientMethods,
  out A = AgentMethods,
> extends AgentSessionMembers<S, ReceivedMcpServerOf<A>, SessionPeer<C> & ClientDetails<A>, UpdateOf<C>> {
  /**
   * Aborts when the session is closed, deleted or resumed again, or the client is gone. Clean up then, including
   * background work.
   */
  readonly signal: AbortSignal;
  /**
   * The client, and its part of `initialize`. Calls are for this session, so they need no `sessionId`. A question
   * that you ask through it does not belong to a turn: it does not change the session's state, and only closing the
   * session withdraws it, not a cancel.
   */
  readonly client: SessionPeer<C> & ClientDetails<A>;
  /**
   * Sends a `session/update`, in a turn or between turns. Await it: the promise stays pending while the client is slow
   * to read. While the response to `session/new` is pending, updates are queued, and sent right after the response.
   *
   * Do not send a `state_update`: turns and {@link setBackground} do that.
   *
   * @throws {CapabilityError} if the client does not support the kind of update; nothing was sent.
   * @throws {UsageError} if the session has ended or is being reopened (this never counts as an unhandled rejection),
   * or the update breaks a rule, for example with a relative path; nothing was sent.
   * @throws {MessageTooLargeError} if the update is over the size limit; nothing was sent.
   * @throws {ConnectionClosedError} if the connection has ended.
   */
  update(update: UpdateOf<C>): Promise<void>;
  /** The state of the session's foreground work, as last reported to the client. */
  readonly activity: "idle" | "running" | "requires_action";
  /**
   * Reports all background work: tool calls and terminals that you have reported and that are still running. Every
   * later state of the session includes this list, until you set another one. The `background` that a prompt handler
   * returns sets it too.
   *
   * @throws {UsageError} like {@link update}.
   */
  setBackground(background: readonly BackgroundWorkOf<C>[]): Promise<void>;
  /**
   * Runs a turn without a prompt, for example to report on background work that is done. The session is `running`
   * meanwhile, and then idle with what `work` returns. The turn starts at once, even while another turn is running.
   *
   * Resolves when the turn has ended. If `work` throws, the turn ends with stop reason `error`, or `cancelled` if it
   * was cancelled, and the promise still resolves.
   *
   * @throws {UsageError} if the session has ended or is being reopened; this never counts as an unhandled rejection.
   */
  run(work: (context: AgentTurnContext<S, C, A>) => Awaitable<TurnEnd<C>>): Promise<void>;
}

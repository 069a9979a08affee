import type { Received } from "@acp/schema/v1/types";
import { LazyAbort } from "../base/abort.ts";
import { isAbortError, isRequestCancelled } from "../base/describe-error.ts";
import { backgroundTimer } from "../base/timers.ts";
import type { IncomingRequest } from "../rpc/incoming-requests.ts";
import type { PeerCalls } from "../rpc/peer.ts";
import { type AgentSession, bindToTurn } from "../session/agent/agent-session.ts";
import { callGrace, pendingAfterAbort } from "../session/agent/pending-after-abort.ts";
import { TurnContext, type TurnHost, TurnLifecycle } from "../session/agent/turn-lifecycle.ts";
import { cancelledOutcome } from "../session/rules/permission.ts";
import {
  type AgentTurn,
  createAgentTurn,
  type PermissionOutcome,
  type PermissionQuestion,
  type TurnLink,
} from "./agent-turn.ts";

/**
 * The requests that the client itself answers when a turn is cancelled (PERM-07). The agent keeps waiting, since the user may
 * have answered already.
 */
const answeredByClient: readonly string[] = ["session/request_permission", "elicitation/create"];

/** The answer to a prompt whose turn was cancelled. */
export const cancelledResult: object = { stopReason: "cancelled" };

/** Runs the prompt handler as a turn of the session. */
export function runTurn(request: IncomingRequest, session: AgentSession, host: TurnHost): unknown {
  const lifecycle = new PromptTurnLifecycle(session, host, request);
  request.run = lifecycle;
  session.turns.push(lifecycle);
  const client = host.overlappingPrompts === "alongside" ? bindToTurn(session.client, [lifecycle]) : session.turnClient;
  return host.handler(request.params, new TurnContext(client, lifecycle, lifecycle.turn));
}

/**
 * A turn of version 1, which lasts as long as its request. Once it is cancelled, the answer is `cancelled`, whatever the
 * handler throws or returns (CANC-05, CANC-06). A prompt that the client cancelled by `$/cancel_request` instead is answered
 * -32800 if the handler throws.
 */
class PromptTurnLifecycle extends TurnLifecycle implements TurnLink {
  declare readonly turn: AgentTurn;
  declare protected readonly request: IncomingRequest;

  constructor(session: AgentSession, host: TurnHost, request: IncomingRequest) {
    super(session, host, request);
    this.turn = createAgentTurn(this);
    if (host.table.turn !== undefined) Object.assign(this.turn, host.table.turn(this.turn));
  }

  /** The client has a second to answer requests: a terminal that it started to open has to be released. */
  override abort(reason: unknown, byClient = true): void {
    if (this.aborted) return;
    const { connection } = this.host;
    const calls = connection.calls.values(
      ({ owner, method }) => owner === this && (!byClient || !answeredByClient.includes(method)),
      [this],
    );
    super.abort(reason);
    if (calls.length > 0) backgroundTimer(() => connection.abandon(calls, this.reason), callGrace);
  }

  succeed(result: unknown): unknown {
    this.markEnded();
    // A turn that was cancelled by any means must not look complete.
    return this.aborted ? { ...(result as object), ...cancelledResult } : result;
  }

  fail(error: unknown): object | undefined {
    this.markEnded();
    if (!this.#isCancelled) return undefined;
    if (!isRequestCancelled(error) && !isAbortError(error, this)) this.report(error);
    return cancelledResult;
  }

  /** By `session/cancel`, or with its session; not because the client cancelled the request. */
  get #isCancelled(): boolean {
    return this.aborted && this.reason !== this.request.reason;
  }

  override rejectLate(): Promise<never> {
    return super.rejectLate("has been answered");
  }

  async requestPermission(question: PermissionQuestion): Promise<PermissionOutcome> {
    if (this.aborted) return cancelledOutcome.outcome;
    const giveUp = new LazyAbort();
    const send: PeerCalls["request"] = this.session.client.request;
    const asking = send("session/request_permission", question, { signal: giveUp });
    // After `session/cancel` the client answers (PERM-07). If it cancelled the request, it may not know its questions.
    if (await pendingAfterAbort(asking, this, () => (this.request.aborted ? 0 : callGrace))) giveUp.abort(this.reason);
    try {
      return ((await asking) as Received.RequestPermissionResponse).outcome;
    } catch (error) {
      // Some clients answer -32800 (RCAN-08).
      if (this.aborted) return cancelledOutcome.outcome;
      throw error;
    }
  }
}

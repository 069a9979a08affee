import type { RoleTable } from "@acp/schema";
import { AbortReason } from "../../base/abort.ts";
import type { Connection } from "../../rpc/connection.ts";
import type { IncomingRequest } from "../../rpc/incoming-requests.ts";
import { readSessionId } from "../../rpc/request-table.ts";
import { refuseNow } from "../../rpc/refusal.ts";
import { requestCancelled } from "../../rpc/wire-errors.ts";
import { refuseArguments } from "../rules/arguments.ts";
import { findRefusedVariant, listRefusedVariants } from "../rules/variants.ts";
import type { AgentDialect, AgentHost } from "./agent-dialect.ts";
import type { AgentSession } from "./agent-session.ts";
import type { SessionRegistry } from "./session-registry.ts";

/** The parts that a prompt queue needs from its connection. */
export interface PromptQueueParts<S extends AgentSession> {
  readonly dialect: AgentDialect<S>;
  readonly connection: Connection;
  readonly registry: SessionRegistry<S>;
  readonly table: RoleTable;
  readonly capabilities: object;
}

/** The prompts of an agent's connection: running as turns, or queued. */
export interface PromptQueue<S extends AgentSession> {
  /** Answers a prompt with a turn of its session. */
  start(request: IncomingRequest, session: S): unknown;
  /** Resolves when a session is open that is being opened. If the connection ends before, cancels the request if it is a prompt. */
  waitForOpening(request: IncomingRequest, session: S): Promise<void>;
  /** Handles `session/cancel`. It does nothing if no turn is running (CANC-10). */
  cancel(params: unknown): void;
  /**
   * Cancels the turns and the queued prompts of a session. With `all` also prompts that have arrived and are not queued yet;
   * a request that is handled in the order of the session leaves those alone, since they come after it.
   */
  cancelTurns(
    id: string | undefined,
    why: string,
    how?: { readonly all?: boolean; readonly byClient?: boolean },
  ): AbortReason;
}

export function createPromptQueue<S extends AgentSession>(
  { dialect, connection, registry, table, capabilities }: PromptQueueParts<S>,
  host: AgentHost,
): PromptQueue<S> {
  const mode = host.overlappingPrompts;
  /**
   * Prompts that only wait for their session or for earlier turns. The function ends the wait of one that
   * was answered: a client may send and cancel any number of them, and none must stay in memory.
   */
  const waiting = new WeakMap<IncomingRequest, () => void>();
  /** The kinds of content that a prompt cannot contain. */
  const refused = listRefusedVariants(table, "ContentBlock", capabilities);

  /** Runs the turn of a prompt when those before it were answered. */
  function waitForTurns(request: IncomingRequest, session: S): Promise<unknown> {
    const isFirst = session.queue === undefined;
    const queue = (session.queue ??= new Map());
    const outcome = new Promise<void>((begin) => waiting.set(request, begin)).then(() => {
      queue.delete(request);
      if (request.answered || session.isSilent) return dialect.answerAsCancelled(request);
      return dialect.runTurn(request, session, host);
    });
    queue.set(request, outcome);
    request.addEventListener("abort", () => {
      if (request.run !== undefined) return;
      request.fail(requestCancelled());
      waiting.get(request)?.();
    });
    if (isFirst) void runQueue(session, queue);
    return outcome;
  }

  async function runQueue(session: S, queue: NonNullable<S["queue"]>): Promise<void> {
    for (const [request, outcome] of queue) {
      // A turn without a prompt may have started meanwhile.
      while (session.turns.length > 0) await session.turns[0]?.whenEnded();
      waiting.get(request)?.();
      await outcome.catch(() => {});
    }
    session.queue = undefined;
  }

  const cancelTurns: PromptQueue<S>["cancelTurns"] = (id, why, { all, byClient } = {}) => {
    const reason = new AbortReason(why);
    registry.get(id)?.abort(reason, byClient);
    const isWaiting = (request: IncomingRequest): boolean =>
      request.method === dialect.methods.prompt &&
      request.run === undefined &&
      (all || waiting.has(request)) &&
      request.sessionId === id;
    for (const request of connection.incoming.values(isWaiting, [id])) {
      dialect.answerAsCancelled(request);
      waiting.get(request)?.();
    }
    return reason;
  };

  return {
    start(request, session) {
      // It was cancelled before it started.
      if (request.answered) return undefined;
      // It may be here because it waited for its session: a prompt does not replace itself.
      waiting.delete(request);
      const { prompt } = request.params as { readonly prompt: readonly { readonly type: string }[] };
      const problem = findRefusedVariant(refused, ["prompt", prompt], "PROM-03");
      if (problem !== undefined) throw refuseArguments(problem);
      if (mode === "alongside" || (!session.queue?.size && session.turns.length === 0)) {
        return dialect.runTurn(request, session, host);
      }
      if (mode === "replace") cancelTurns(session.id, "Another prompt came", { byClient: false });
      else if (mode !== "queue") throw refuseNow("a turn is running in this session already");
      return waitForTurns(request, session);
    },
    async waitForOpening(request, session) {
      await Promise.race([session.opening, new Promise<void>((leave) => waiting.set(request, leave))]);
      if (connection.hasEnded && request.method === dialect.methods.prompt) dialect.answerAsCancelled(request);
    },
    cancel(params) {
      cancelTurns(readSessionId(params), "The client cancelled the turn", { all: true });
    },
    cancelTurns,
  };
}

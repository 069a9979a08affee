import type { ToolCallUpdate } from "@acp/schema/v1";
import type { IncomingRequest } from "../connection/incoming-request.ts";
import { isAbort } from "../connection/thrown.ts";
import type { AgentRole } from "../protocol/role.ts";
import { createAgentTurn, type PermissionOption, type PermissionOutcome } from "./agent-turn.ts";
import type { UntypedHandler } from "./handler-table.ts";
import type { OpenSession } from "./open-session.ts";

export interface TurnRunOptions {
  readonly request: IncomingRequest;
  readonly session: OpenSession;
  readonly role: AgentRole;
  readonly handler: UntypedHandler;
  requestPermission(toolCall: ToolCallUpdate, options: readonly PermissionOption[]): Promise<PermissionOutcome>;
  reportFailure(error: unknown): void;
}

/**
 * Runs the prompt handler as the session's turn.
 *
 * Once the turn is cancelled, whatever the handler throws is the answer `cancelled`, never an error
 * (CANC-05, CANC-06). A prompt cancelled by `$/cancel_request` throws on: it is answered -32800.
 */
export async function runTurn({ request, session, role, handler, ...options }: TurnRunOptions): Promise<unknown> {
  const controller = new AbortController();
  const { signal } = controller;
  let markAnswered = (): void => {};
  const answered = new Promise<void>((resolve) => {
    markAnswered = resolve;
  });
  session.turn = { abort: (reason) => controller.abort(reason), answered };
  request.signal.addEventListener("abort", () => controller.abort(request.signal.reason), { once: true });
  const { turn, end } = createAgentTurn({
    signal,
    session,
    nextId: (kind) => session.nextId(kind),
    requestPermission: options.requestPermission,
  });
  Object.assign(turn, role.turn?.(turn));
  try {
    return await handler(request.params, { client: session.client, session, turn, signal });
  } catch (error) {
    if (!signal.aborted || request.aborted) throw error;
    if (!isAbort(error, signal)) options.reportFailure(error);
    return { stopReason: "cancelled" };
  } finally {
    end();
    session.turn = undefined;
    // The answer is written in the microtasks that follow; whoever waits for it comes after.
    setTimeout(markAnswered, 0);
  }
}

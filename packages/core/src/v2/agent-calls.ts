import type { UpdateSessionNotification } from "@acp/schema/v2/types";
import type { CallOptions, Connection } from "../connection/connection.ts";
import { heard } from "../connection/heard.ts";
import { sessionIdOf } from "../connection/session-id.ts";
import { ProtocolError, UsageError } from "../errors.ts";
import type { PeerCalls } from "../protocol/peer.ts";
import type { AgentSessions } from "../v1/agent-sessions.ts";
import type { AgentUpdates } from "../v1/agent-updates.ts";
import type { ArgumentProblem } from "../v1/arguments.ts";
import type { CallRules } from "../v1/call-rules.ts";
import { Elicitations } from "../v1/elicitations.ts";
import { checkOutcome } from "../v1/permission.ts";
import { TurnRun } from "./agent-turn-run.ts";
import type { OpenSession } from "./open-session.ts";

/** What an agent's calls need from their connection. */
export interface AgentCallsOptions {
  readonly rules: CallRules;
  readonly connection: Connection;
  readonly updates: AgentUpdates;
  sessions(): AgentSessions<OpenSession>;
  /** Whether `initialize` is answered, or what settles when it is; nothing before it was called. */
  ready(): true | Promise<unknown> | undefined;
}

/** What an agent asks and tells its client, as far as it may. */
export function createAgentCalls({ rules, connection, updates, sessions, ready }: AgentCallsOptions): PeerCalls {
  const { methods, report } = rules.options;
  const elicitations = new Elicitations();
  return { request, notify };

  function request(method: string, asked: unknown, callOptions?: CallOptions): Promise<unknown> {
    let params: unknown;
    try {
      if (ready() !== true) throw tooEarly(method);
      const shownIn = method === "session/request_permission" ? sessions().of(asked) : undefined;
      params = rules.checkCall(method, asked, methods.calledRequest(method), shownIn);
    } catch (error) {
      return Promise.reject(error);
    }
    const turn = callOptions?.owner instanceof TurnRun ? callOptions.owner : undefined;
    // Whoever asks something for a prompt has taken it.
    void turn?.accept();
    if (method === "elicitation/create") {
      const refuse = (problem: ArgumentProblem): Error => rules.usageError(method, problem);
      const asking = elicitations.ask(params, refuse, () => connection.request(method, params, callOptions));
      // One that belongs to a request is outside of what the session does.
      if (sessionIdOf(params) !== undefined) turn?.asks(asking);
      return asking;
    }
    const result = connection.request(method, params, callOptions);
    if (method !== "session/request_permission") return result;
    turn?.asks(result);
    return result.then((received) => checkedOutcome(method, params, received));
  }

  function notify(method: string, params: unknown): Promise<void> {
    if (method === "session/update" && ready() === true) return update(params);
    const told = tell(method, params);
    // The client may go at any time, which `signal` tells.
    return connection.hasEnded ? heard(told) : told;
  }

  function update(params: unknown): Promise<void> {
    const session = sessions().said(params);
    if (session === undefined) return updates.updateOther(params);
    const { sessionId: _, update: made, ...more } = params as UpdateSessionNotification;
    return updates.update(session, made as never, Object.keys(more).length > 0 ? more : undefined);
  }

  async function tell(method: string, params: unknown): Promise<void> {
    const answered = ready();
    if (answered === undefined) throw tooEarly(method);
    if (answered !== true) {
      // Not waited for: its sender may be what the answer waits for.
      answered.then(() => notify(method, params)).catch((error: unknown) => connection.reportUnsent(method, error));
      return;
    }
    rules.checkNotification(method, params);
    if (method === "elicitation/complete" && !elicitations.complete(params)) {
      const message = `${method} names no question that the client was asked and that is not over; it was left out`;
      return rules.warn(method, message, "ELIC-20");
    }
    await connection.notify(method, params);
  }

  /** An answer to a permission request, if it is one of those that were offered. */
  function checkedOutcome(method: string, params: unknown, received: unknown): unknown {
    const problem = checkOutcome(params, received);
    if (problem === undefined) return received;
    const { path, reason } = problem;
    const error = new ProtocolError(method, path, reason);
    report({ type: "invalid-message", level: "warning", message: error.message, method, path, reason, received });
    throw error;
  }
}

function tooEarly(method: string): UsageError {
  return new UsageError(`${method}: initialize is not answered yet`);
}

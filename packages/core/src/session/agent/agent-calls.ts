import type { SessionNotification } from "@acp/schema/v1/types";
import type { CallOptions, Connection } from "../../rpc/connection.ts";
import { ignoreRejection } from "../../base/promises.ts";
import { ProtocolError, UsageError } from "../../base/errors.ts";
import type { PeerCalls } from "../../rpc/peer.ts";
import type { AgentSessions } from "./agent-sessions.ts";
import type { AgentUpdates } from "./agent-updates.ts";
import type { ArgumentProblem } from "../rules/arguments.ts";
import type { CallRules } from "../rules/call-rules.ts";
import { createElicitations } from "../rules/elicitations.ts";
import type { OpenSession } from "./open-session.ts";
import { checkOutcome } from "../rules/permission.ts";

/** What an agent's calls need from their connection. */
export interface AgentCallsOptions {
  readonly rules: CallRules;
  readonly connection: Connection;
  readonly updates: AgentUpdates;
  sessions(): AgentSessions<OpenSession>;
  /** Whether `initialize` is answered, or what settles when it is; nothing before it was called. */
  ready(): true | Promise<unknown> | undefined;
  /** Called with what a call is for, such as a turn, before it is sent. */
  calls?(owner: object | undefined): void;
  /** Called when the user is asked something. */
  asks?(params: unknown, owner: object | undefined, answer: Promise<unknown>): void;
}

/** What an agent asks and tells its client, as far as it may. */
export function createAgentCalls(options: AgentCallsOptions): PeerCalls {
  const { rules, connection, updates, sessions, ready } = options;
  const { methods, report } = rules;
  const elicitations = createElicitations();
  return { request, notify };

  function request(method: string, asked: unknown, callOptions?: CallOptions): Promise<unknown> {
    const isPermission = method === "session/request_permission";
    let params: unknown;
    try {
      if (ready() !== true) throw tooEarly(method);
      const shownIn = isPermission ? sessions().of(asked) : undefined;
      params = rules.checkCall(method, asked, methods.calledRequest(method), shownIn);
    } catch (error) {
      return Promise.reject(error);
    }
    const owner = callOptions?.owner;
    options.calls?.(owner);
    const send = (): Promise<unknown> => connection.request(method, params, callOptions);
    if (!isPermission && method !== "elicitation/create") return send();
    const refuse = (problem: ArgumentProblem): Error => rules.usageError(method, problem);
    const answer = isPermission ? send() : elicitations.ask(params, refuse, send);
    options.asks?.(params, owner, answer);
    return isPermission ? answer.then((received) => checkedOutcome(method, params, received)) : answer;
  }

  function notify(method: string, params: unknown): Promise<void> {
    const told = method === "session/update" && ready() === true ? update(params) : tell(method, params);
    // The client may go at any time, which `signal` tells.
    return connection.hasEnded ? ignoreRejection(told) : told;
  }

  function update(params: unknown): Promise<void> {
    const session = sessions().said(params);
    if (session === undefined) return updates.updateOther(params);
    const { sessionId: _, update: made, ...more } = params as SessionNotification;
    return updates.update(session, made, Object.keys(more).length > 0 ? more : undefined);
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

import { ProtocolError, UsageError } from "../../base/errors.ts";
import { ignoreRejection } from "../../base/promises.ts";
import type { Connection } from "../../rpc/connection.ts";
import { reportInvalid } from "../../rpc/invalid-message.ts";
import type { CallOptions } from "../../rpc/outgoing-requests.ts";
import type { PeerCalls } from "../../rpc/peer.ts";
import type { ArgumentProblem } from "../rules/arguments.ts";
import type { CallRules } from "../rules/call-rules.ts";
import { createElicitations } from "../rules/elicitations.ts";
import { checkOutcome } from "../rules/permission.ts";
import type { AgentMethodNames, SessionUpdate } from "./agent-options.ts";
import type { AgentSession, RunningTurn } from "./agent-session.ts";
import type { AgentUpdates } from "./agent-updates.ts";
import type { ConnectedClient } from "./connected-client.ts";
import type { SessionRegistry } from "./session-registry.ts";

/** The options of a call that may belong to a turn. */
interface AgentCallOptions extends CallOptions {
  readonly owner?: RunningTurn;
}

/** The parts that an agent's calls need from their connection. */
export interface AgentCallsParts {
  readonly names: AgentMethodNames;
  readonly rules: CallRules;
  readonly connection: Connection;
  readonly registry: SessionRegistry<AgentSession>;
  readonly client: ConnectedClient;
}

/** Creates the calls of an agent to its client. They check messages before they send them. */
export function createAgentCalls(
  { names, rules, connection, registry, client }: AgentCallsParts,
  updates: AgentUpdates,
): PeerCalls {
  const { methods, report } = rules;
  const elicitations = createElicitations();
  return { request, notify, flush: connection.flush };

  function request(method: string, made: unknown, callOptions?: AgentCallOptions): Promise<unknown> {
    const isPermission = method === names.requestPermission;
    let params: unknown;
    try {
      if (!client.isInitialized) throw beforeInitialize(method);
      const shownIn = isPermission ? registry.forParams(made) : undefined;
      params = rules.checkCall(method, made, methods.calledRequest(method), shownIn);
    } catch (error) {
      return Promise.reject(error);
    }
    const owner = callOptions?.owner;
    owner?.onCall();
    const ask = (): Promise<unknown> => connection.request(method, params, callOptions);
    if (!isPermission && method !== names.elicit) return ask();
    const session = registry.forParams(made);
    if (session !== undefined) session.timelineItems++;
    const refuse = (problem: ArgumentProblem): Error => rules.usageError(method, problem);
    const answer = isPermission ? ask() : elicitations.ask(params, refuse, ask);
    owner?.onQuestion(params, answer);
    return isPermission ? answer.then((received) => checkedOutcome(method, params, received)) : answer;
  }

  function notify(method: string, params: unknown): Promise<void> {
    const sent = method === names.update && client.isInitialized ? update(params) : send(method, params);
    // The client may disconnect at any time; the signal reports that.
    return connection.hasEnded ? ignoreRejection(sent) : sent;
  }

  function update(params: unknown): Promise<void> {
    const session = registry.forOutgoing(params);
    if (session === undefined) return updates.updateOther(params);
    const {
      sessionId: _,
      update: made,
      ...more
    } = params as { readonly sessionId: string; readonly update: SessionUpdate };
    return updates.update(session, made, Object.keys(more).length > 0 ? more : undefined);
  }

  async function send(method: string, params: unknown): Promise<void> {
    const { initializing } = client;
    if (!client.isInitialized) {
      if (initializing === undefined) throw beforeInitialize(method);
      // Not awaited: `initialize` may wait for the sender.
      initializing.then(() => notify(method, params)).catch((error: unknown) => connection.reportUnsent(method, error));
      return;
    }
    rules.checkNotification(method, params);
    if (method === names.elicitationComplete && !elicitations.complete(params)) {
      const message = `${method} names no question that the client was asked and that is not over; it was left out`;
      return rules.warn(method, message, "ELIC-20");
    }
    await connection.notify(method, params);
  }

  /** Returns the answer to a permission request. @throws {ProtocolError} if it is not one of the options. */
  function checkedOutcome(method: string, params: unknown, received: unknown): unknown {
    const problem = checkOutcome(params, received);
    if (problem === undefined) return received;
    const { path, reason } = problem;
    reportInvalid(report, method, path, reason, received);
    throw new ProtocolError(method, path, reason);
  }
}

function beforeInitialize(method: string): UsageError {
  return new UsageError(`${method}: initialize is not answered yet`);
}

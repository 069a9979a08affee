import type { Received } from "@acp/schema/v2/types";
import type { IncomingRequest } from "../rpc/incoming-requests.ts";
import { refuseNow, refuseSession } from "../rpc/refusal.ts";
import { readSessionId } from "../rpc/lanes.ts";
import { invalidArguments } from "../session/rules/arguments.ts";
import type { ClientSessions } from "../session/client/client-sessions.ts";
import { createElicitations } from "../session/rules/elicitations.ts";
import type { UntypedHandler } from "../session/handler-table.ts";
import { checkOutcome, rejectionOf } from "../session/rules/permission.ts";
import { checkMode } from "../session/rules/question-modes.ts";
import type { SignalOwner } from "../session/run-context.ts";
import { withdrawnAnswers } from "../session/client/withdrawn.ts";
import type { AttachedSession } from "./attached-session.ts";
import type { ClientRules } from "./client-rules.ts";

/** What a client answers its agent's requests from. */
export interface ClientQuestionsOptions {
  readonly handlers: ReadonlyMap<string, UntypedHandler>;
  readonly capabilities: object;
  readonly rules: ClientRules;
  readonly sessions: ClientSessions<AttachedSession>;
  isInitialized(): boolean;
  /** Makes what a handler gets beside its params. */
  context(session: AttachedSession | undefined, owner: SignalOwner): object;
}

/** What an agent asks its client: mostly, something that the user has to answer. */
export interface ClientQuestions {
  /** Whether a method is handled although there is no handler for it. */
  handles(kind: "request" | "notification", method: string): boolean;
  /** Answers a request. Throws, or rejects with, what becomes the error answer. */
  answer(request: IncomingRequest): unknown;
  /** A question by URL is over. Returns whether it was open; if not, that is told. */
  complete(params: unknown): boolean;
}

const permission = "session/request_permission";

export function createClientQuestions(options: ClientQuestionsOptions): ClientQuestions {
  const { handlers, capabilities, rules, sessions, context } = options;
  const elicitations = createElicitations();

  function handles(kind: "request" | "notification", method: string): boolean {
    if (kind === "request") return method === permission;
    return method === "session/update" || method === "elicitation/complete";
  }

  function complete(params: unknown): boolean {
    if (elicitations.complete(params)) return true;
    const method = "elicitation/complete";
    rules.warn(method, `${method} names no question that is open; it was ignored`, "ELIC-21");
    return false;
  }

  function answer(request: IncomingRequest): unknown {
    const { method, params, entry } = request;
    if (!options.isInitialized()) throw refuseNow("initialize has not been answered");
    const session = sessions.askedFor(params);
    // An extension may mean something else by it.
    if (session === undefined && readSessionId(params) !== undefined && entry !== undefined)
      throw refuseSession({ sessionId: readSessionId(params) });
    rules.checkReceived(request);
    checkMode(request, capabilities);
    const withdrawn = withdrawnAnswers.get(method);
    if (withdrawn !== undefined) {
      if (method === permission) session?.asked(params as Received.RequestPermissionRequest);
      if (sessions.callOf(params)?.withdrawn === true || session?.isGivenUp(params) === true) return withdrawn;
      // One that the agent withdraws has the same answer, whatever becomes of its handler ("Cancellation" in the draft).
      request.addEventListener("abort", () => request.answer(withdrawn));
    }
    if (method === permission) return askPermission(request, session);
    const run = (): unknown => handlers.get(method)?.(params, context(session, request));
    return method === "elicitation/create" ? elicitations.ask(params, invalidArguments, run, request) : run();
  }

  async function askPermission(request: IncomingRequest, session: AttachedSession | undefined): Promise<unknown> {
    const { params } = request;
    const handler = handlers.get(permission);
    if (handler === undefined) {
      const message = `${permission} was rejected: there is no handler to ask the user`;
      rules.warn(permission, message, "INIT-18", { sessionId: session?.id });
      return rejectionOf(params);
    }
    const outcome = await handler(params, context(session, request));
    rules.refuse(`The answer of ${permission}`, checkOutcome(params, outcome));
    return outcome;
  }

  return { handles, answer, complete };
}

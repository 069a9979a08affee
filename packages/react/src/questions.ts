import type { ClientHandlers, CreateElicitationResponse, Received, RequestPermissionResponse } from "@acp/core";

import { createFramed, type Framed } from "./frames.ts";

/** A question for permission that waits for an answer. */
export interface PermissionQuestion {
  /** Identifies the question: use it as a key. */
  readonly id: number;
  readonly sessionId: string;
  /** What the agent wants to do. `describeQuestion` of `@acp/core/state` has all that the user should judge. */
  readonly toolCall: Received.RequestPermissionRequest["toolCall"];
  readonly options: Received.RequestPermissionRequest["options"];
  /** Answers with an option. */
  readonly answer: (optionId: string) => void;
  /** Takes the question away without an answer. */
  readonly cancel: () => void;
}

/** A form or a URL of the agent that waits for an answer. */
export interface Elicitation {
  /** Identifies the question: use it as a key. */
  readonly id: number;
  /** The session that asks, if a session does. */
  readonly sessionId: string | undefined;
  /** The message with the form or the URL. `validateForm` of `@acp/core/elicitation` checks what the user fills in. */
  readonly request: Received.CreateElicitationRequest;
  /** Answers: `{ action: "accept", content }`, `{ action: "decline" }` or `{ action: "cancel" }`. */
  readonly answer: (response: CreateElicitationResponse) => void;
}

interface Open<Question> {
  readonly framed: Framed<readonly Question[]>;
  /** Waits for an answer. Who asked may withdraw the question; then the answer is `closed`. */
  ask<Answer>(
    signal: AbortSignal,
    closed: Answer,
    make: (answer: (given: Answer) => void) => Question,
  ): Promise<Answer>;
}

/** The questions of one kind that are open. */
function createOpen<Question>(): Open<Question> {
  let open: readonly Question[] = [];
  const framed = createFramed(open, () => open);
  const set = (changed: readonly Question[]): void => {
    open = changed;
    framed.changed();
  };
  return {
    framed,
    ask: (signal, closed, make) =>
      new Promise((resolve) => {
        const answer = (given: Parameters<typeof resolve>[0]): void => {
          set(open.filter((one) => one !== question));
          resolve(given);
        };
        const question = make(answer);
        set([...open, question]);
        if (signal.aborted) answer(closed);
        signal.addEventListener("abort", () => answer(closed));
      }),
  };
}

/** The open questions, and the handlers that put them there. */
export function createQuestions(takesElicitations: boolean): {
  readonly permissions: Framed<readonly PermissionQuestion[]>;
  readonly elicitations: Framed<readonly Elicitation[]>;
  readonly handlers: ClientHandlers;
} {
  let id = 0;
  const permissions = createOpen<PermissionQuestion>();
  const elicitations = createOpen<Elicitation>();
  const cancelled: RequestPermissionResponse = { outcome: { outcome: "cancelled" } };
  return {
    permissions: permissions.framed,
    elicitations: elicitations.framed,
    handlers: {
      "session/request_permission": ({ sessionId, toolCall, options }, { signal }) =>
        permissions.ask(signal, cancelled, (answer) => ({
          id: ++id,
          sessionId,
          toolCall,
          options,
          answer: (optionId) => answer({ outcome: { outcome: "selected", optionId } }),
          cancel: () => answer(cancelled),
        })),
      ...(takesElicitations && {
        "elicitation/create": (request, { signal }) =>
          elicitations.ask<CreateElicitationResponse>(signal, { action: "cancel" }, (answer) => ({
            id: ++id,
            sessionId: "sessionId" in request ? request.sessionId : undefined,
            request,
            answer,
          })),
      }),
    },
  };
}

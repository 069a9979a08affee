import { unknownVariant } from "@acp/schema";
import type { AgentMethods, CreateElicitationResponse, ElicitationContentValue, Received } from "@acp/schema/v1";
import { RequestError } from "../errors.ts";
import type { Awaitable } from "../protocol/methods.ts";
import type { ClientSession } from "../v1/client-session.ts";
import type { Peer } from "../protocol/peer.ts";
import { FormContentError } from "./form-content-error.ts";
import { formDefaults, type FormProblem, validateForm } from "./form.ts";
import { inspectUrl, type UrlReport } from "./inspect-url.ts";
import { OpenQuestions } from "./open-questions.ts";

/** What the user makes of a question (ELIC-13). */
export type ElicitationAnswer<Content> =
  | ({ readonly action: "accept" } & Content)
  /** The user said no. */
  | { readonly action: "decline" }
  /** The user closed it without an answer. */
  | { readonly action: "cancel" };

/** What the user has filled in, by the names of the fields. */
export interface FilledForm {
  readonly content: Readonly<Record<string, ElicitationContentValue>>;
}

/** A form to be filled in, or not: the user sees who asks, may review, decline and cancel (ELIC-23, ELIC-24). */
export interface FormQuestion {
  readonly message: string;
  readonly schema: Received.ElicitationSchema;
  /** What to fill in at first (ELIC-08). */
  readonly defaults: Readonly<Record<string, ElicitationContentValue>>;
  /** All of the request. */
  readonly request: Received.CreateElicitationRequest;
  /** What is wrong with an answer, to tell the user before it is sent (ELIC-07). */
  validate(content: unknown): readonly FormProblem[];
}

/** A URL to be opened, or not: the user sees all of it first, and its host above all (ELIC-23, ELIC-27, ELIC-29). */
export interface UrlQuestion {
  readonly message: string;
  readonly url: string;
  /** What to show and to warn of. */
  readonly report: UrlReport;
  /** Opaque (ELIC-18). */
  readonly elicitationId: string;
  readonly request: Received.CreateElicitationRequest;
  /** Aborts when the agent says that it is done there, while the session is open; many agents do not. */
  readonly completed: AbortSignal;
}

/** What a question is asked with: the context of its handler, as far as it is the same for all clients. */
export interface QuestionContext {
  /** The agent. */
  readonly agent: Pick<Peer<AgentMethods>, "request" | "notify">;
  /** The session of the question, if it has one that is open. */
  readonly session: AskingSession | undefined;
  /** Aborts when nobody waits for the answer any more: the turn is cancelled, or the question taken back. */
  readonly signal: AbortSignal;
}

type AskingSession = Pick<
  ClientSession,
  "id" | "cwd" | "additionalDirectories" | "modes" | "configOptions" | "meta" | "signal"
>;

/** Who asks the user. Leave out what the client does not advertise. */
export interface Questions {
  form?(question: FormQuestion, context: QuestionContext): Awaitable<ElicitationAnswer<FilledForm>>;
  url?(question: UrlQuestion, context: QuestionContext): Awaitable<ElicitationAnswer<object>>;
}

/** The handlers, to be spread into those of a client. */
export interface ElicitationHandlers {
  "elicitation/create"(
    request: Received.CreateElicitationRequest,
    context: QuestionContext,
  ): Promise<CreateElicitationResponse>;
  "elicitation/complete"(params: Received.CompleteElicitationNotification, context: QuestionContext): void;
}

/**
 * Handlers that put an agent's questions to the user and see to it that the answers are right.
 *
 * ```ts
 * const client = createClient({
 *   info,
 *   capabilities: { elicitation: { form: {} } },
 *   handlers: { ...elicitation({ form: ({ message, schema, defaults }) => ask(message, schema, defaults) }) },
 * });
 * ```
 *
 * What `form` accepts is validated before it is sent; if it is wrong, the handler fails with a
 * {@link FormContentError}, which the diagnostics have, and the agent gets `-32603`. When the turn is cancelled,
 * or the agent takes its question back, the answer is `cancel`, whatever the user does then.
 */
export function elicitation({ form, url }: Questions): ElicitationHandlers {
  const open = new OpenQuestions();
  const answer = async (
    request: Received.CreateElicitationRequest,
    context: QuestionContext,
  ): Promise<CreateElicitationResponse> => {
    if (request.mode === "form" && form !== undefined) {
      const { message, requestedSchema: schema } = request;
      const validate = (content: unknown): readonly FormProblem[] => validateForm(schema, content);
      const made = await form({ message, schema, defaults: formDefaults(schema), request, validate }, context);
      if (made.action !== "accept") return { action: made.action };
      const problems = validate(made.content);
      if (problems.length > 0) throw new FormContentError(problems);
      return { action: "accept", content: { ...made.content } };
    }
    if (request.mode === "url" && url !== undefined) {
      const { message, url: address, elicitationId } = request;
      const question = { message, url: address, report: inspectUrl(address), elicitationId, request };
      return open.ask(elicitationId, context, async (completed) => {
        const { action } = await url({ ...question, completed }, context);
        return { action };
      });
    }
    const mode = request.mode === unknownVariant ? "this mode" : `the mode ${request.mode}`;
    // Never taken for a mode that is known (ELIC-31).
    throw RequestError.invalidParams(`The user cannot be asked in ${mode}`, { path: "/mode" });
  };
  return {
    "elicitation/create": (request, context) => orCancelled(answer(request, context), context.signal),
    "elicitation/complete": ({ elicitationId }, context) => open.complete(elicitationId, context),
  };
}

/** The answer, or `cancel` if nobody waits for it any more. */
function orCancelled(
  answer: Promise<CreateElicitationResponse>,
  signal: AbortSignal,
): Promise<CreateElicitationResponse> {
  return new Promise((resolve, reject) => {
    const cancel = (): void => resolve({ action: "cancel" });
    if (signal.aborted) cancel();
    signal.addEventListener("abort", cancel, { once: true });
    void answer.then(resolve, reject).finally(() => signal.removeEventListener("abort", cancel));
  });
}

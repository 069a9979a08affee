import { formatIssue, unknownVariant } from "@acp/schema";
import type {
  CompleteElicitationNotification,
  CreateElicitationResponse,
  ElicitationContentValue,
  Received as Received1,
} from "@acp/schema/v1/types";
import type { Received as Received2 } from "@acp/schema/v2/types";
import { AcpError, RequestError } from "../../base/errors.ts";
import type { Awaitable } from "../../rpc/methods.ts";
import { formDefaults, type FormProblem, type ReceivedForm, validateForm } from "./form.ts";
import { inspectUrl, type UrlReport } from "./inspect-url.ts";
import { OpenQuestions, type QuestionContext } from "./open-questions.ts";
import { requireObject } from "../../base/require-argument.ts";

export type { QuestionContext } from "./open-questions.ts";

/** The request that a question came with, in either version. */
export type ReceivedQuestion = Received1.CreateElicitationRequest | Received2.CreateElicitationRequest;

/** The user's answer to a question (ELIC-13). */
export type ElicitationAnswer<Content> =
  /** The user filled in the form, or agreed to open the URL. */
  | ({ readonly action: "accept" } & Content)
  /** The user declined. */
  | { readonly action: "decline" }
  /** The user closed it without an answer. */
  | { readonly action: "cancel" };

/** The values of a form. */
export interface FilledForm {
  /** The values by field name: text, a number, true or false, or a list of texts. Leave out empty fields. */
  readonly content: Readonly<Record<string, ElicitationContentValue>>;
}

/** The answer to a form does not fit its schema, so it was not sent (ELIC-15). */
export class FormContentError extends AcpError {
  protected static override readonly errorName: string = "FormContentError";
  readonly code = "form_content";
  /** All problems in the answer. */
  readonly problems: readonly FormProblem[];

  constructor(problems: readonly FormProblem[]) {
    super(`The answer to the form is wrong: ${Array.from(problems ?? [], formatIssue).join("; ")}`);
    this.problems = problems;
  }
}

/** A form for the user. Show which agent is asking, and let the user review, decline and cancel (ELIC-23, ELIC-24). */
export interface FormQuestion {
  /** The agent's question, for the user. */
  readonly message: string;
  /** The fields, and which of them are required. */
  readonly schema: ReceivedForm;
  /** The initial values (ELIC-08). */
  readonly defaults: Readonly<Record<string, ElicitationContentValue>>;
  /** The whole request. */
  readonly request: ReceivedQuestion;
  /** Returns the problems in an answer, so that you can show them to the user before you send it (ELIC-07). */
  validate(content: unknown): readonly FormProblem[];
}

/** A URL for the user to open. Show the complete URL first, and highlight its host (ELIC-23, ELIC-27, ELIC-29). */
export interface UrlQuestion {
  /** The agent's message, which tells the user why to open the URL. */
  readonly message: string;
  /** The URL as received. */
  readonly url: string;
  /** The host of the URL, and warnings for the user. */
  readonly report: UrlReport;
  /** The id of the question. Do not interpret it (ELIC-18). */
  readonly elicitationId: string;
  /** The whole request. */
  readonly request: ReceivedQuestion;
  /**
   * Aborts when the agent reports that the user is done there, while the session is open. Many agents never report it.
   */
  readonly completed: AbortSignal;
}

/** Functions that ask the user. Leave out a function if the client does not advertise its mode. */
export interface Questions {
  /** Shows a form, and resolves with the user's answer. */
  readonly form?:
    | ((question: FormQuestion, context: QuestionContext) => Awaitable<ElicitationAnswer<FilledForm>>)
    | undefined;
  /** Shows a URL, and resolves with the user's answer. */
  readonly url?:
    | ((question: UrlQuestion, context: QuestionContext) => Awaitable<ElicitationAnswer<object>>)
    | undefined;
}

/** Handlers to spread into a client's `handlers`. */
export interface ElicitationHandlers {
  "elicitation/create"(request: ReceivedQuestion, context: QuestionContext): Promise<CreateElicitationResponse>;
  "elicitation/complete"(params: CompleteElicitationNotification, context: QuestionContext): void;
}

/**
 * Creates handlers that ask the user an agent's questions and check the answers. Also declare the modes in the client's
 * `capabilities`.
 *
 * ```ts
 * const client = createClient({
 *   info,
 *   capabilities: { elicitation: { form: {} } },
 *   handlers: { ...elicitation({ form: ({ message, schema, defaults }) => ask(message, schema, defaults) }) },
 * });
 * ```
 *
 * Content that `form` returns is sent only if it fits the form. Otherwise the agent gets `-32603`, and a
 * `handler-failed` diagnostic has a {@link FormContentError}. If the turn is cancelled or the agent cancels its
 * question, the answer is `cancel`, whatever the user does then. A question in a mode without a function fails with
 * `-32602`.
 */
export function elicitation(questions: Questions): ElicitationHandlers {
  requireObject(questions, "elicitation() takes { form, url }");
  const { form, url } = questions;
  const open = new OpenQuestions();
  const answer = async (request: ReceivedQuestion, context: QuestionContext): Promise<CreateElicitationResponse> => {
    if (request.mode === "form" && form) {
      const { message, requestedSchema: schema } = request;
      const validate = (content: unknown): readonly FormProblem[] => validateForm(schema, content);
      const answered = await form({ message, schema, defaults: formDefaults(schema), request, validate }, context);
      if (answered.action !== "accept") return { action: answered.action };
      const problems = validate(answered.content);
      if (problems.length > 0) throw new FormContentError(problems);
      return { action: "accept", content: { ...answered.content } };
    }
    if (request.mode === "url" && url) {
      const { message, url: address, elicitationId } = request;
      const question = { message, url: address, report: inspectUrl(address), elicitationId, request };
      return open.ask(elicitationId, context, async (completed) => {
        const { action } = await url({ ...question, completed }, context);
        return { action };
      });
    }
    const mode = request.mode === unknownVariant ? "this mode" : `the mode ${request.mode}`;
    // An unknown mode is never treated as a known one (ELIC-31).
    throw RequestError.invalidParams(`The user cannot be asked in ${mode}`, { path: "/mode" });
  };
  return {
    "elicitation/create": (request, context) => orCancelled(answer(request, context), context.signal),
    "elicitation/complete": ({ elicitationId }, context) => open.complete(elicitationId, context),
  };
}

/** Resolves with the answer, or with `cancel` as soon as nobody waits for it any more. */
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

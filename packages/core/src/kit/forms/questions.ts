import { unknownVariant } from "@acp/schema";
import type {
  AgentMethods,
  CompleteElicitationNotification,
  CreateElicitationResponse,
  ElicitationContentValue,
} from "@acp/schema/v1/types";
import { RequestError } from "../../base/errors.ts";
import type { Awaitable } from "../../rpc/methods.ts";
import type { ClientSession } from "../../v1/client-session.ts";
import type { Peer } from "../../rpc/peer.ts";
import { FormContentError } from "./form-content-error.ts";
import { formDefaults, type FormProblem, validateForm } from "./form.ts";
import { inspectUrl, type UrlReport } from "./inspect-url.ts";
import { OpenQuestions } from "./open-questions.ts";
import type { ReceivedForm, ReceivedQuestion } from "./received-form.ts";

/** What the user did about a question (ELIC-13). */
export type ElicitationAnswer<Content> =
  /** The user has filled in the form, or agreed to open the URL. */
  | ({ readonly action: "accept" } & Content)
  /** The user said no. */
  | { readonly action: "decline" }
  /** The user closed it without an answer. */
  | { readonly action: "cancel" };

/** What the user has filled in, by the names of the fields. */
export interface FilledForm {
  /** Text, a number, true or false, or a list of texts for each field; leave out what is not filled in. */
  readonly content: Readonly<Record<string, ElicitationContentValue>>;
}

/** A form for the user. Show who asks, and let the user review, decline and cancel (ELIC-23, ELIC-24). */
export interface FormQuestion {
  /** What the agent wants to know, for the user. */
  readonly message: string;
  /** The fields, and which of them must be filled in. */
  readonly schema: ReceivedForm;
  /** What to fill in at first (ELIC-08). */
  readonly defaults: Readonly<Record<string, ElicitationContentValue>>;
  /** All of the request. */
  readonly request: ReceivedQuestion;
  /** What is wrong with an answer; empty if nothing. To tell the user before it is sent (ELIC-07). */
  validate(content: unknown): readonly FormProblem[];
}

/** A URL for the user to open. Show all of it first, and its host above all (ELIC-23, ELIC-27, ELIC-29). */
export interface UrlQuestion {
  /** Why the agent wants it opened, for the user. */
  readonly message: string;
  /** The URL as it came. */
  readonly url: string;
  /** What to show of it, and what to warn of. */
  readonly report: UrlReport;
  /** The id of the question; it means something to the agent only (ELIC-18). */
  readonly elicitationId: string;
  /** All of the request. */
  readonly request: ReceivedQuestion;
  /** Aborts when the agent says that the user is done there, while the session is open. Many agents never say it. */
  readonly completed: AbortSignal;
}

/** The context of the handler that asks, as far as it is the same for all clients. */
export interface QuestionContext {
  /** The agent. */
  readonly agent: Pick<Peer<AgentMethods>, "request" | "notify">;
  /** The session of the question, if it has one that is open. */
  readonly session: AskingSession | undefined;
  /** Aborts when nobody waits for the answer any more: the turn is cancelled, or the question taken back. */
  readonly signal: AbortSignal;
}

type AskingSession = Pick<ClientSession, "id" | "cwd" | "additionalDirectories" | "meta" | "signal">;

/** Functions that ask the user. Leave out the one whose mode the client does not advertise. */
export interface Questions {
  /** Shows a form, and resolves with what the user did. */
  readonly form?:
    | ((question: FormQuestion, context: QuestionContext) => Awaitable<ElicitationAnswer<FilledForm>>)
    | undefined;
  /** Shows a URL, and resolves with what the user did. */
  readonly url?:
    | ((question: UrlQuestion, context: QuestionContext) => Awaitable<ElicitationAnswer<object>>)
    | undefined;
}

/** The handlers, to be spread into those of a client. */
export interface ElicitationHandlers {
  "elicitation/create"(request: ReceivedQuestion, context: QuestionContext): Promise<CreateElicitationResponse>;
  "elicitation/complete"(params: CompleteElicitationNotification, context: QuestionContext): void;
}

/**
 * Handlers that put an agent's questions to the user, and check the answers. The client also has to declare the modes in
 * its `capabilities`.
 *
 * ```ts
 * const client = createClient({
 *   info,
 *   capabilities: { elicitation: { form: {} } },
 *   handlers: { ...elicitation({ form: ({ message, schema, defaults }) => ask(message, schema, defaults) }) },
 * });
 * ```
 *
 * What `form` accepts is checked before it is sent. If it does not fit the form, it is not sent: the agent gets `-32603`,
 * and a `handler-failed` diagnostic has a {@link FormContentError}. When the turn is cancelled, or the agent takes its
 * question back, the answer is `cancel`, whatever the user does then. A mode without a function is answered `-32602`.
 */
export function elicitation({ form, url }: Questions): ElicitationHandlers {
  const open = new OpenQuestions();
  const answer = async (request: ReceivedQuestion, context: QuestionContext): Promise<CreateElicitationResponse> => {
    if (request.mode === "form" && form) {
      const { message, requestedSchema: schema } = request;
      const validate = (content: unknown): readonly FormProblem[] => validateForm(schema, content);
      const made = await form({ message, schema, defaults: formDefaults(schema), request, validate }, context);
      if (made.action !== "accept") return { action: made.action };
      const problems = validate(made.content);
      if (problems.length > 0) throw new FormContentError(problems);
      return { action: "accept", content: { ...made.content } };
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

import type {
  CompleteElicitationNotification,
  CreateElicitationRequest,
  ElicitationRequestScope,
  ElicitationSchema,
  ElicitationSessionScope,
  Received,
  RequestId,
} from "@acp/schema/v1/types";
import { checkForm } from "../elicitation/form.ts";
import { AcpError, ProtocolError, UsageError } from "../errors.ts";
import type { RequestOptions } from "../protocol/peer.ts";
import type { ReportedToolCall } from "../v1/agent-turn.ts";
import type { AnyTurn } from "./any-session.ts";
import type { FormContent, FormSchema, RequiredFields } from "./form-content.ts";
import { checkRunning } from "./running.ts";

/** What came of a question without an answer: the user declined it, closed it, or never saw it (ELIC-16). */
type Unanswered =
  /** The user said no. */
  | { readonly action: "decline" }
  /** The user closed it without an answer. */
  | { readonly action: "cancel" }
  /** It could not be asked, or the answer does not fit. `error` says why: the client cannot show forms, for example. */
  | { readonly action: "failed"; readonly error: AcpError };

/** The client, as far as it is asked something. */
interface ElicitationClient {
  request(
    method: "elicitation/create",
    params: CreateElicitationRequest,
    options: RequestOptions,
  ): Promise<Received.CreateElicitationResponse>;
  notify(method: "elicitation/complete", params: CompleteElicitationNotification): Promise<void>;
}

/** A request for which the user is asked something: pass the context of its handler, such as that of `authenticate`. */
export interface ElicitationRequest {
  /** The client, which is asked. */
  readonly client: ElicitationClient;
  /** The id of the request. */
  readonly requestId: RequestId;
  /** Aborts when the client takes the request back. */
  readonly signal: AbortSignal;
}

/** What came of a form: `action` narrows it. */
export type FormAnswer<S> =
  | {
      /** The user has filled it in, and it fits. */
      readonly action: "accept";
      /** The values by the names of the fields. */
      readonly content: FormContent<S>;
    }
  | Unanswered;

/** What came of a URL: `action` narrows it. */
export type UrlAnswer =
  | {
      /** The user agreed to open it. It does not mean that anything was done there. */
      readonly action: "accept";
      /** Tells the client that the user is done there (ELIC-19). */
      complete(): Promise<void>;
    }
  | Unanswered;

interface AnyElicitOptions {
  /** What to tell the user. */
  readonly message: string;
  /** The tool call of the turn that the question is for. Default: none. */
  readonly call?: ReportedToolCall | undefined;
}

/** Options of {@link elicitForm}. */
export interface ElicitFormOptions<S extends FormSchema> extends AnyElicitOptions {
  /** The fields. Never for passwords, tokens or other secrets (ELIC-09). */
  readonly schema: S & RequiredFields<S>;
}

/** Options of {@link elicitUrl}. */
export interface ElicitUrlOptions extends AnyElicitOptions {
  /** Normally https. It must hold no secret, and grant nothing by itself (ELIC-25). */
  readonly url: string;
  /** Names the question; unique among those that have no answer yet. Default: a random UUID (ELIC-17). */
  readonly elicitationId?: string | undefined;
}

/**
 * Asks the user to fill in a form. The type of the content follows from the schema. Content that does not fit the schema
 * makes the answer `failed` (ELIC-07), whatever the client has checked.
 *
 * ```ts
 * const answer = await elicitForm(turn, {
 *   message: "Where to?",
 *   schema: { properties: { stage: { type: "string", enum: ["test", "live"] } }, required: ["stage"] },
 * });
 * if (answer.action === "accept") await deploy(answer.content.stage);
 * ```
 *
 * Pass the turn that the question belongs to. Where there is no turn, pass the context of the handler that asks:
 * `elicitForm(context, …)` in `authenticate`, for example (ELIC-05).
 *
 * @throws {UsageError} if `required` names no field, or the turn has been answered; nothing was sent.
 * @throws the reason of the signal of turn or request, if that is cancelled meanwhile.
 */
export async function elicitForm<const S extends FormSchema>(
  asker: AnyTurn | ElicitationRequest,
  { message, schema, call }: ElicitFormOptions<S>,
): Promise<FormAnswer<S>> {
  // The type is stated for readers that do not take it for granted (ELIC-06). Nobody writes to the lists in it.
  const requestedSchema = { type: "object", ...schema } as unknown as ElicitationSchema;
  const { properties, required } = requestedSchema;
  const missing = required?.find((name) => !Object.hasOwn(properties ?? {}, name));
  if (missing !== undefined) throw new UsageError(`The form requires '${missing}', which is none of its fields`);
  const answer = await elicit(asker, { mode: "form", message, requestedSchema, ...scope(asker, call) });
  // Whatever comes with another action is ignored (ELIC-14).
  if (answer.action !== "accept") return answer;
  const content = answer.content ?? {};
  const problem = checkForm(requestedSchema, content);
  if (problem !== undefined) {
    const path = ["result", "content", ...problem.path];
    return { action: "failed", error: new ProtocolError("elicitation/create", path, problem.reason) };
  }
  // It was checked against the schema that the type is made from.
  return { action: "accept", content: content as FormContent<S> };
}

/**
 * Asks the user to open a URL, for what must not pass through the client: logging in, paying (ELIC-10).
 *
 * ```ts
 * authenticate: async (_params, context) => {
 *   const answer = await elicitUrl(context, { message: "Log in", url });
 *   …
 * },
 * ```
 *
 * Pass the turn that it belongs to, or the context of a handler, as with {@link elicitForm}.
 *
 * @throws {UsageError} if a question with this id has no answer yet, or the turn has been answered; nothing was sent.
 * @throws the reason of the signal of turn or request, if that is cancelled meanwhile.
 */
export async function elicitUrl(
  asker: AnyTurn | ElicitationRequest,
  { message, url, call, ...more }: ElicitUrlOptions,
): Promise<UrlAnswer> {
  const elicitationId = more.elicitationId ?? crypto.randomUUID();
  const answer = await elicit(asker, { mode: "url", message, url, elicitationId, ...scope(asker, call) });
  if (answer.action !== "accept") return answer;
  const client = clientOf(asker);
  return { action: "accept", complete: () => client.notify("elicitation/complete", { elicitationId }) };
}

async function elicit(
  asker: AnyTurn | ElicitationRequest,
  params: CreateElicitationRequest,
): Promise<Unanswered | { readonly action: "accept"; readonly content?: Readonly<Record<string, unknown>> | null }> {
  const { signal } = asker;
  if (isRequest(asker)) signal.throwIfAborted();
  else checkRunning(asker);
  let response: Received.CreateElicitationResponse;
  try {
    response = await clientOf(asker).request("elicitation/create", params, { signal });
  } catch (error) {
    signal.throwIfAborted();
    // A question that breaks a rule is a mistake in the program.
    if (error instanceof AcpError && !(error instanceof UsageError)) return { action: "failed", error };
    throw error;
  }
  switch (response.action) {
    case "accept":
      return response;
    case "decline":
    case "cancel":
      return { action: response.action };
    default: {
      // An action that is not known is none of the known ones (ELIC-32).
      const error = new ProtocolError("elicitation/create", ["result", "action"], "is not known");
      return { action: "failed", error };
    }
  }
}

function isRequest(asker: AnyTurn | ElicitationRequest): asker is ElicitationRequest {
  return "requestId" in asker;
}

function clientOf(asker: AnyTurn | ElicitationRequest): ElicitationClient {
  return isRequest(asker) ? asker.client : asker.session.client;
}

/** Where a question belongs (ELIC-05). */
function scope(
  asker: AnyTurn | ElicitationRequest,
  call: ReportedToolCall | undefined,
): ElicitationSessionScope | ElicitationRequestScope {
  if (isRequest(asker)) return { requestId: asker.requestId };
  const { id: sessionId } = asker.session;
  return call == null ? { sessionId } : { sessionId, toolCallId: call.id };
}

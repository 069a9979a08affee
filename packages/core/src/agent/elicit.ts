import type {
  CompleteElicitationNotification,
  CreateElicitationRequest,
  ElicitationRequestScope,
  ElicitationSchema,
  ElicitationSessionScope,
  Received,
  RequestId,
} from "@acp/schema/v1";
import { checkForm } from "../elicitation/form.ts";
import { AcpError, ProtocolError, UsageError } from "../errors.ts";
import type { RequestOptions } from "../protocol/peer.ts";
import type { ReportedToolCall } from "../v1/agent-turn.ts";
import type { AnyTurn } from "./any-session.ts";
import type { FormContent, FormSchema, RequiredFields } from "./form-content.ts";
import { checkRunning } from "./running.ts";

/** What came of a question: the user may decline it, close it, or never see it (ELIC-16). */
type Unanswered =
  /** The user said no. */
  | { readonly action: "decline" }
  /** The user closed it without an answer. */
  | { readonly action: "cancel" }
  /** It could not be asked, or the answer is no good: the client cannot show it, say. `error` says why. */
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

/** A request that the user is asked something for: the context of its handler, such as that of `authenticate`. */
export interface ElicitationRequest {
  readonly client: ElicitationClient;
  readonly requestId: RequestId;
  /** Aborts when the client takes the request back. */
  readonly signal: AbortSignal;
}

/** What came of a form. */
export type FormAnswer<S> = { readonly action: "accept"; readonly content: FormContent<S> } | Unanswered;

/** What came of a URL. */
export type UrlAnswer =
  | {
      /** The user agreed to open it; not that anything was done there. */
      readonly action: "accept";
      /** Tells the client that it is done there (ELIC-19). */
      complete(): Promise<void>;
    }
  | Unanswered;

interface AnyElicitOptions {
  /** What to tell the user. */
  readonly message: string;
  /** The tool call of the turn that it is for. */
  readonly call?: ReportedToolCall;
}

export interface ElicitFormOptions<S extends FormSchema> extends AnyElicitOptions {
  /** The fields. Never for passwords, tokens or other secrets (ELIC-09). */
  readonly schema: S & RequiredFields<S>;
}

export interface ElicitUrlOptions extends AnyElicitOptions {
  /** Normally https. It holds no secrets and grants nothing by itself (ELIC-25). */
  readonly url: string;
  /** Names it towards the client; unique among those that are open. Default: a random UUID (ELIC-17). */
  readonly elicitationId?: string;
}

/**
 * Has the user fill in a form. The type of the content follows from the schema, and so does what is accepted: content
 * that does not fit makes the answer `failed` (ELIC-07), whatever the client has checked.
 *
 * ```ts
 * const answer = await elicitForm(turn, {
 *   message: "Where to?",
 *   schema: { properties: { stage: { type: "string", enum: ["test", "live"] } }, required: ["stage"] },
 * });
 * if (answer.action === "accept") await deploy(answer.content.stage);
 * ```
 *
 * It belongs to a turn, or to a request that is being answered: `elicitForm(context, …)` with the context of its handler
 * asks where there is no session yet (ELIC-05).
 *
 * @throws {UsageError} if something is required that is no field.
 * @throws the reason of the signal of either, if it is cancelled meanwhile.
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
 * Has the user open a URL, for what must not pass through the client: logging in, paying (ELIC-10).
 *
 * ```ts
 * authenticate: async (_params, context) => {
 *   const answer = await elicitUrl(context, { message: "Log in", url });
 *   …
 * },
 * ```
 *
 * It belongs to a turn or a request, as with {@link elicitForm}.
 *
 * @throws the reason of the signal of either, if it is cancelled meanwhile.
 */
export async function elicitUrl(
  asker: AnyTurn | ElicitationRequest,
  { message, url, call, elicitationId = crypto.randomUUID() }: ElicitUrlOptions,
): Promise<UrlAnswer> {
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
  return call === undefined ? { sessionId } : { sessionId, toolCallId: call.id };
}

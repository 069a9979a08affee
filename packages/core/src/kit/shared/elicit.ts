import type { RequestId } from "@acp/schema/v1/types";
import { AcpError, ProtocolError, UsageError } from "../../base/errors.ts";
import { randomId } from "../../base/random-id.ts";
import type { RequestOptions } from "../../rpc/peer.ts";
import { checkForm, type ReceivedForm } from "../forms/form.ts";
import { checkRunning } from "./any-session.ts";
import type { FormContent, RequiredFields } from "./inferred-types.ts";
import { requireObject } from "../../base/require-argument.ts";
import { readMember } from "../../base/values.ts";

/** The outcome of a question that the user declined, closed or never saw (ELIC-16). */
export type Unanswered =
  /** The user declined. */
  | { readonly action: "decline" }
  /** The user closed it without an answer. */
  | { readonly action: "cancel" }
  /** The question could not be asked, or the answer does not fit the form. `error` says why. */
  | { readonly action: "failed"; readonly error: AcpError };

/** The outcome of a form. Check `action` to narrow it. */
export type FormAnswer<S> =
  /** The user filled in the form, and the values fit it. `content` has the values by field name. */
  { readonly action: "accept"; readonly content: FormContent<S> } | Unanswered;

/** The outcome of a URL. Check `action` to narrow it. */
export type UrlAnswer =
  /** The user agreed to open the URL. Call `complete` when the user is done there (ELIC-19). */
  { readonly action: "accept"; complete(): Promise<void> } | Unanswered;

/** The client, as far as a question needs it. */
interface AskedClient {
  request(method: "elicitation/create", params: object, options: RequestOptions): Promise<Answer>;
  notify(method: "elicitation/complete", params: { elicitationId: string }): Promise<void>;
}

interface Answer {
  readonly action: unknown;
  readonly content?: { readonly [field: string]: unknown } | null;
}

/** A request whose handler asks the user. Pass the context of the handler. */
export interface ElicitationRequest {
  /** The client to ask. */
  readonly client: AskedClient;
  /** The id of the request. */
  readonly requestId: RequestId;
  /** Aborts when the client cancels the request. */
  readonly signal: AbortSignal;
}

/** A turn of either version, as far as a question needs it. */
export interface AskingTurn {
  readonly ended: boolean;
  readonly signal: AbortSignal;
  /** The session of the turn. */
  readonly session: { readonly id: string; readonly client: AskedClient };
  /** The client for questions of this turn, in version 2. */
  readonly client?: AskedClient;
}

interface ElicitOptions {
  /** The question for the user. */
  readonly message: string;
  /** The tool call of the turn that the question is for. Default: none. */
  readonly call?: { readonly id: string } | undefined;
}

/** Options of {@link elicitForm}. */
export interface ElicitFormOptions<S extends { readonly properties: object }> extends ElicitOptions {
  /** The fields. Never ask for passwords, tokens or other secrets in a form (ELIC-09). */
  readonly schema: S & RequiredFields<S>;
}

/** Options of {@link elicitUrl}. */
export interface ElicitUrlOptions extends ElicitOptions {
  /** The URL, usually HTTPS. It must not contain secrets or grant access by itself (ELIC-25). */
  readonly url: string;
  /** The id of the question, unique among the pending ones (ELIC-17). Default: a random UUID. */
  readonly elicitationId?: string | undefined;
}

/** What {@link elicitForm} of each version does. */
export async function elicitForm<S extends { readonly properties: object }>(
  asker: AskingTurn | ElicitationRequest,
  options: ElicitFormOptions<S>,
): Promise<FormAnswer<S>> {
  requireObject(options, "elicitForm() takes { message, schema } second");
  const { message, schema, call } = options;
  // Some readers need the type, although the schema allows to leave it out (ELIC-06).
  const requestedSchema = { type: "object", ...schema } as ReceivedForm;
  const { properties, required } = requestedSchema;
  const missing = required?.find((name) => !Object.hasOwn(properties ?? {}, name));
  if (missing !== undefined) throw new UsageError(`The form requires '${missing}', which is none of its fields`);
  const answer = await ask(asker, { mode: "form", message, requestedSchema, ...scope(asker, call) });
  // With any other action, content is ignored (ELIC-14).
  if (answer.action !== "accept") return answer;
  const content = answer.content ?? {};
  const problem = checkForm(requestedSchema, content);
  if (problem !== undefined) {
    const path = ["result", "content", ...problem.path];
    return { action: "failed", error: new ProtocolError("elicitation/create", path, problem.reason) };
  }
  // The check went by the schema that this type is inferred from.
  return { action: "accept", content: content as FormContent<S> };
}

/**
 * Asks the user to open a URL. Use it for what must not pass through the client, such as logging in or paying
 * (ELIC-10).
 *
 * ```ts
 * authenticate: async (_params, context) => {
 *   const answer = await elicitUrl(context, { message: "Log in", url });
 *   …
 * },
 * ```
 *
 * Pass the turn that the question belongs to, or the context of a handler, as with {@link elicitForm}.
 *
 * @throws {UsageError} a question with this id is still pending, or the turn has ended; nothing was sent.
 * @throws the reason of the signal of the turn or request if it is cancelled.
 */
export async function elicitUrl(asker: AskingTurn | ElicitationRequest, options: ElicitUrlOptions): Promise<UrlAnswer> {
  requireObject(options, "elicitUrl() takes { message, url } second");
  const { message, url, call } = options;
  const elicitationId = options.elicitationId ?? randomId();
  const answer = await ask(asker, { mode: "url", message, url, elicitationId, ...scope(asker, call) });
  if (answer.action !== "accept") return answer;
  return {
    action: "accept",
    complete: () => clientOf(asker).notify("elicitation/complete", { elicitationId }),
  };
}

async function ask(
  asker: AskingTurn | ElicitationRequest,
  params: object,
): Promise<Unanswered | { readonly action: "accept"; readonly content?: Answer["content"] | undefined }> {
  const { signal } = asker;
  if (isRequest(asker)) signal.throwIfAborted();
  else checkRunning(asker);
  let response: Answer;
  try {
    response = await clientOf(asker).request("elicitation/create", params, { signal });
  } catch (error) {
    signal.throwIfAborted();
    // A question that breaks a rule is a mistake of the caller.
    if (error instanceof AcpError && !(error instanceof UsageError)) return { action: "failed", error };
    throw error;
  }
  const { action, content } = response;
  if (action === "accept") return { action, content };
  if (action === "decline" || action === "cancel") return { action };
  // An unknown action counts as none of the known ones (ELIC-32).
  return { action: "failed", error: new ProtocolError("elicitation/create", ["result", "action"], "is not known") };
}

function isRequest(asker: AskingTurn | ElicitationRequest): asker is ElicitationRequest {
  requireObject(
    readMember(asker, "signal"),
    "A question to the user needs a turn, or the context of a handler",
    "throwIfAborted",
  );
  return "requestId" in asker;
}

function clientOf(asker: AskingTurn | ElicitationRequest): AskedClient {
  return isRequest(asker) ? asker.client : (asker.client ?? asker.session.client);
}

/** The session or the request that a question belongs to (ELIC-05). */
function scope(asker: AskingTurn | ElicitationRequest, call: ElicitOptions["call"] | null): object {
  if (isRequest(asker)) return { requestId: asker.requestId };
  const { id: sessionId } = asker.session;
  return call == null ? { sessionId } : { sessionId, toolCallId: call.id };
}

import type {
  CompleteElicitationNotification,
  CreateElicitationRequest,
  ElicitationPropertySchema,
  ElicitationSchema,
  Received,
  RequestId,
} from "@acp/schema/v2/types";
import { askForm, askUrl, type FormAnswer, type UrlAnswer } from "../v1/ask-user.ts";
import type { FormSchemaOf, RequiredFields } from "../v1/form-content.ts";
import type { Readable } from "../v1/readable.ts";
import type { RequestOptions } from "../../rpc/peer.ts";
import type { ReportedToolCall } from "../../v2/reported-tool-call.ts";
import type { AnyTurn } from "./any-session.ts";

export type { FormAnswer, UrlAnswer } from "../v1/ask-user.ts";
export type { FormContent } from "../v1/form-content.ts";

/** One field of a form. */
export type FormField = Readable<ElicitationPropertySchema>;

/** A form: its fields, and which of them must be filled in. Its `type` is added for you. */
export type FormSchema = FormSchemaOf<ElicitationSchema, FormField>;

/** The client, as far as it is asked something. */
interface ElicitationClient {
  request(
    method: "elicitation/create",
    params: CreateElicitationRequest,
    options: RequestOptions,
  ): Promise<Received.CreateElicitationResponse>;
  notify(method: "elicitation/complete", params: CompleteElicitationNotification): Promise<void>;
}

/** A request for which the user is asked something: pass the context of its handler, such as that of `auth/login`. */
export interface ElicitationRequest {
  /** The client, which is asked. */
  readonly client: ElicitationClient;
  /** The id of the request. */
  readonly requestId: RequestId;
  /** Aborts when the client takes the request back. */
  readonly signal: AbortSignal;
}

interface AnyElicitOptions {
  /** What to tell the user. */
  readonly message: string;
  /** The tool call of the turn that the question is for. Default: none. */
  readonly call?: ReportedToolCall | undefined;
}

/** Options of {@link elicitForm}. */
export interface ElicitFormOptions<S extends FormSchema> extends AnyElicitOptions {
  /** The fields. Never for passwords, tokens or other secrets. */
  readonly schema: S & RequiredFields<S>;
}

/** Options of {@link elicitUrl}. */
export interface ElicitUrlOptions extends AnyElicitOptions {
  /** Normally https. It must hold no secret, and grant nothing by itself. */
  readonly url: string;
  /** Names the question; unique among those that have no answer yet. Default: a random UUID. */
  readonly elicitationId?: string | undefined;
}

/**
 * Asks the user to fill in a form. The type of the content follows from the schema. Content that does not fit the schema
 * makes the answer `failed`, whatever the client has checked. The session is `requires_action` until there is an answer.
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
 * `elicitForm(context, …)` in `auth/login`, for example. Such a question belongs to that request.
 *
 * @throws {UsageError} if `required` names no field, or the turn has ended; nothing was sent.
 * @throws the reason of the signal of turn or request, if that is cancelled meanwhile. The question is withdrawn.
 */
export const elicitForm: <const S extends FormSchema>(
  asker: AnyTurn | ElicitationRequest,
  options: ElicitFormOptions<S>,
) => Promise<FormAnswer<S>> = askForm;

/**
 * Asks the user to open a URL, for what must not pass through the client: logging in, paying.
 *
 * ```ts
 * "auth/login": async (_params, context) => {
 *   const answer = await elicitUrl(context, { message: "Log in", url });
 *   …
 * },
 * ```
 *
 * Pass the turn that it belongs to, or the context of a handler, as with {@link elicitForm}.
 *
 * @throws {UsageError} if a question with this id has no answer yet, or the turn has ended; nothing was sent.
 * @throws the reason of the signal of turn or request, if that is cancelled meanwhile. The question is withdrawn.
 */
export const elicitUrl: (asker: AnyTurn | ElicitationRequest, options: ElicitUrlOptions) => Promise<UrlAnswer> = askUrl;

import type {
  CompleteElicitationNotification,
  CreateElicitationRequest,
  Received,
  RequestId,
} from "@acp/schema/v1/types";
import type { RequestOptions } from "../../rpc/peer.ts";
import type { ReportedToolCall } from "../../v1/agent-turn.ts";
import type { AnyTurn } from "./any-session.ts";
import { askForm, askUrl, type FormAnswer, type UrlAnswer } from "./ask-user.ts";
import type { FormSchema, RequiredFields } from "./form-content.ts";

export type { FormAnswer, UrlAnswer } from "./ask-user.ts";

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
export const elicitForm: <const S extends FormSchema>(
  asker: AnyTurn | ElicitationRequest,
  options: ElicitFormOptions<S>,
) => Promise<FormAnswer<S>> = askForm;

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
export const elicitUrl: (asker: AnyTurn | ElicitationRequest, options: ElicitUrlOptions) => Promise<UrlAnswer> = askUrl;

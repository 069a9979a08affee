import { AcpError } from "@acp/core";
import { APICallError, RetryError } from "ai";
import { isObject, textIn } from "../values.ts";
import { ModelError, type ModelErrorKind } from "./model-error.ts";
import { readRetryAfter } from "./retry-after.ts";

/**
 * Turns whatever a model call has thrown into an error that is safe to show: a sentence of ours, chosen by status and type.
 *
 * ```ts
 * const { text } = await generateText({ model, prompt }).catch((error) => {
 *   throw describeModelError(error);
 * });
 * ```
 */
export function describeModelError(error: unknown): ModelError {
  if (error instanceof ModelError) return error;
  if (RetryError.isInstance(error)) return describeModelError(error.lastError);
  if (APICallError.isInstance(error)) return describeCallError(error);
  const name = isObject(error) ? textIn(error, "name") : undefined;
  const kind = (name === undefined ? undefined : kindOfName[name]) ?? kindOfType(error);
  if (kind !== undefined) return failure(kind);
  return failure(isLostConnection(error) ? "broken_off" : "unknown");
}

/** What the runtimes throw when a connection ends in the middle of an answer: undici, Deno and Bun each their own. */
function isLostConnection(error: unknown): boolean {
  const words = [textIn(error, "message"), textIn(error, "code")].join(" ");
  const cause = isObject(error) ? error["cause"] : undefined;
  return (
    /\bterminated\b|\bbody\b|\bsocket\b|\bconnection|ECONN|EPIPE|UND_ERR/iu.test(words) ||
    (isObject(cause) && isLostConnection(cause))
  );
}

/** Whether an error is one of the protocol or the connection, which says itself what is wrong. */
export function isOwnError(error: unknown): boolean {
  return error instanceof AcpError && !(error instanceof ModelError);
}

function describeCallError(error: APICallError): ModelError {
  const { statusCode: status, responseHeaders = {}, responseBody = "", data, isRetryable } = error;
  const retryAfter = readRetryAfter(responseHeaders);
  if (status === undefined) return failure(isRetryable ? "network" : (kindOfType(data) ?? "unknown"));
  // A stream that fails after its first bytes has the status 200.
  if (status < 400) return failure(kindOfType(data) ?? kindOfType(parse(responseBody)) ?? "broken_off");
  return failure(kindOfStatus(status, responseBody), status, retryAfter);
}

function kindOfStatus(status: number, body: string): ModelErrorKind {
  if (status === 401 || status === 403) return "auth";
  if (status === 402) return "quota";
  if (status === 404) return "not_found";
  if (status === 413) return "too_long";
  if (status === 429) return /insufficient_quota|billing/u.test(body) ? "quota" : "rate_limit";
  if (status === 529) return "overloaded";
  if (status === 408 || status === 409 || status >= 500) return "server";
  return tooLong.test(body) ? "too_long" : "bad_request";
}

/** What providers call it that a conversation does not fit. The body is only searched: nothing of it is shown. */
const tooLong =
  /context[_ ](?:length|window)|maximum context|prompt is too long|too many tokens|exceeds? the (?:limit|maximum)/iu;

/** The errors of `ai`, and those of the platform, by name. */
const kindOfName: Readonly<Record<string, ModelErrorKind>> = {
  AI_LoadAPIKeyError: "auth",
  AI_NoSuchModelError: "not_found",
  AI_EmptyResponseBodyError: "broken_off",
  AI_InvalidResponseDataError: "broken_off",
  AI_JSONParseError: "broken_off",
  AI_TypeValidationError: "broken_off",
  AI_NoOutputGeneratedError: "broken_off",
  AI_NoContentGeneratedError: "broken_off",
  AI_NoObjectGeneratedError: "wrong_form",
  AI_UnsupportedFunctionalityError: "bad_request",
  AI_InvalidPromptError: "bad_request",
  AI_InvalidArgumentError: "bad_request",
  TimeoutError: "network",
  AbortError: "broken_off",
};

/** The errors that providers send in the middle of a stream, by type or code. */
const kindsOfTypes: readonly (readonly [RegExp, ModelErrorKind])[] = [
  [/overloaded/u, "overloaded"],
  [/insufficient_quota|billing/u, "quota"],
  [/rate_limit/u, "rate_limit"],
  [/authentication|permission|invalid_api_key/u, "auth"],
  [/not_found/u, "not_found"],
  [/context_length|request_too_large/u, "too_long"],
  [/invalid_request/u, "bad_request"],
  [/timeout/u, "network"],
  [/api_error|server_error|internal/u, "server"],
];

function kindOfType(error: unknown): ModelErrorKind | undefined {
  if (!isObject(error)) return undefined;
  const types = [error["type"], error["code"]].filter((type) => typeof type === "string").join(" ");
  return kindsOfTypes.find(([pattern]) => pattern.test(types))?.[1] ?? kindOfType(error["error"]);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The error of a stream that ended in the middle. */
export function brokenOff(): ModelError {
  return failure("broken_off");
}

function failure(kind: ModelErrorKind, status?: number, retryAfter?: number): ModelError {
  const [what, usual] = sentences[kind];
  const code = status === undefined ? "" : ` (${status})`;
  const advice = retryAfter === undefined ? usual : `Try again in ${toSeconds(retryAfter)}.`;
  return new ModelError({ kind, what: `${what}${code}.`, advice, status, retryAfter });
}

/** A time in words: whole seconds, at least one. */
export function toSeconds(milliseconds: number): string {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1000));
  return seconds === 1 ? "1 second" : `${seconds} seconds`;
}

/** What happened, and what to do. */
const sentences: Readonly<Record<ModelErrorKind, readonly [string, string]>> = {
  auth: ["The model's provider refused the API key", "Check the key, and what it is allowed to use."],
  quota: ["The account at the model's provider has no credit left", "Check its plan and billing."],
  not_found: ["The model's provider does not know this model or address", "Check the model's name and the base URL."],
  rate_limit: ["The model's provider limits the requests", "Wait a little, then try again."],
  overloaded: ["The model is overloaded", "Wait a little, then try again."],
  server: ["The model's provider failed", "Try again later."],
  network: ["The model's provider cannot be reached", "Check the network and the base URL, then try again."],
  broken_off: ["The model's answer broke off", "Try again."],
  too_long: ["The conversation is longer than the model can read", "Shorten it, or begin a new session."],
  bad_request: ["The model's provider did not accept the request", "Check the model and its settings."],
  wrong_form: ["The model's answer does not have the form that was asked for", "Try again, or use another model."],
  unknown: ["The model failed for an unknown reason", "Try again, or use another model."],
};

import { isObject, readSessionId } from "@acp/core/internal";

/** What has to be known of a message to say which stream, queue and header it belongs to. */
export interface Envelope {
  /** Missing from answers. */
  readonly method: string | undefined;
  /** The id as JSON, to compare by: `1` and `"1"` are two. Missing from notifications. */
  readonly id: string | undefined;
  /** The session that the params name. */
  readonly sessionId: string | undefined;
  /** The session that an answer opens: of `session/new`, for example. */
  readonly openedSession: string | undefined;
  /** The session of a subagent that an update tells of: what is for it comes by a stream of its own. */
  readonly revealedSession: string | undefined;
  /** Whether it is an answer with an error. */
  readonly isError: boolean;
  /** The id of the request that a `$/cancel_request` cancels, as JSON. */
  readonly cancels: string | undefined;
}

/** Reads the envelope of a message; `undefined` for what is no object. Throws for what is no JSON. */
export function readEnvelope(text: string): Envelope | undefined {
  return envelopeOf(JSON.parse(text));
}

/** The same of a message that is parsed already. */
export function envelopeOf(message: unknown): Envelope | undefined {
  if (!isObject(message) || Array.isArray(message)) return undefined;
  const { method, id, params, result } = message;
  return {
    method: typeof method === "string" ? method : undefined,
    id: idKey(id),
    sessionId: readSessionId(params),
    openedSession: readSessionId(result),
    revealedSession: method === "session/update" && isObject(params) ? revealedBy(params["update"]) : undefined,
    isError: message["error"] !== undefined,
    cancels: method === "$/cancel_request" && isObject(params) ? idKey(params["requestId"]) : undefined,
  };
}

function revealedBy(update: unknown): string | undefined {
  return isObject(update) && update["sessionUpdate"] === "subagent_update" ? readSessionId(update) : undefined;
}

function idKey(id: unknown): string | undefined {
  return typeof id === "string" || typeof id === "number" || id === null ? JSON.stringify(id) : undefined;
}

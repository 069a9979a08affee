import { isObject, readSessionId } from "@acp/core/internal";

/** The parts of a message that decide about its stream, its queue and its headers. */
export interface Envelope {
  /** Missing from answers. */
  readonly method: string | undefined;
  /** The id as JSON: `1` and `"1"` differ. Missing from notifications. */
  readonly id: string | undefined;
  /** The session of the params. */
  readonly sessionId: string | undefined;
  /** The session of the result, such as that of `session/new`. */
  readonly openedSession: string | undefined;
  /** The session of a subagent that an update announces: it has its own stream. */
  readonly subagentSession: string | undefined;
  readonly isError: boolean;
  /** The id of the request that a `$/cancel_request` cancels, as JSON. */
  readonly cancels: string | undefined;
}

/** Reads the envelope of a message; `undefined` if it is not an object. Throws if it is not JSON. */
export function readEnvelope(text: string): Envelope | undefined {
  return envelopeOf(JSON.parse(text));
}

/** Reads the envelope of a parsed message. */
export function envelopeOf(message: unknown): Envelope | undefined {
  if (!isObject(message) || Array.isArray(message)) return undefined;
  const { method, id, params, result } = message;
  return {
    method: typeof method === "string" ? method : undefined,
    id: idKey(id),
    sessionId: readSessionId(params),
    openedSession: readSessionId(result),
    subagentSession: method === "session/update" && isObject(params) ? subagentOf(params["update"]) : undefined,
    isError: message["error"] !== undefined,
    cancels: method === "$/cancel_request" && isObject(params) ? idKey(params["requestId"]) : undefined,
  };
}

function subagentOf(update: unknown): string | undefined {
  return isObject(update) && update["sessionUpdate"] === "subagent_update" ? readSessionId(update) : undefined;
}

function idKey(id: unknown): string | undefined {
  return typeof id === "string" || typeof id === "number" || id === null ? JSON.stringify(id) : undefined;
}

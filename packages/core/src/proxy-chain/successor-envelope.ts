import { type Decoder, invalid } from "@acp/schema";
import { decodeProxySuccessorRequest, type ProxySuccessorRequest } from "@acp/schema/v1/unstable";
import { sessionIdOf } from "../connection/connection.ts";
import { unqueuedMethods } from "../proxy/open-method-index.ts";

/** Carries a request or notification to the successor of a proxy, or from there. */
export const successorMethod = "proxy/successor";
/** As `initialize`, for a proxy. */
export const initializeProxyMethod = "proxy/initialize";

/**
 * The params of `proxy/successor`.
 *
 * A connection keeps messages in order by the `sessionId` of their params. Here it is that of the message inside,
 * marked, so that what comes from the client's side and what comes from the successor do not wait for each other.
 * It is no member of its own, and so is not written.
 */
export class SuccessorEnvelope implements ProxySuccessorRequest {
  readonly method: string;
  readonly params?: unknown;
  readonly #lane: string | undefined;

  constructor(method: string, params: unknown, lane: string | undefined) {
    this.method = method;
    this.params = params;
    this.#lane = lane;
  }

  get sessionId(): string | undefined {
    return this.#lane;
  }
}

/** The envelope of a request. */
export function requestEnvelope(method: string, params: unknown): SuccessorEnvelope {
  const sessionId = sessionIdOf(params);
  return new SuccessorEnvelope(method, params, sessionId === undefined ? undefined : `\0${sessionId}`);
}

/** The envelope of a notification. */
export function notificationEnvelope(method: string, params: unknown): SuccessorEnvelope {
  const sessionId = sessionIdOf(params) ?? "";
  // What must not wait behind other notifications has a lane of its own.
  return new SuccessorEnvelope(
    method,
    params,
    unqueuedMethods.has(method) ? `\0${method} ${sessionId}` : `\0${sessionId}`,
  );
}

/** Reads received envelopes of requests. */
export const decodeRequestEnvelope: Decoder<SuccessorEnvelope> = decoderFor(requestEnvelope);
/** Reads received envelopes of notifications. */
export const decodeNotificationEnvelope: Decoder<SuccessorEnvelope> = decoderFor(notificationEnvelope);

function decoderFor(make: typeof requestEnvelope): Decoder<SuccessorEnvelope> {
  return (value, notes) => {
    const decoded = decodeProxySuccessorRequest(value, notes);
    return decoded === invalid ? invalid : make(decoded.method, decoded.params);
  };
}

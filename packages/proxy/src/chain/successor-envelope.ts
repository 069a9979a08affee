import { readSessionId } from "@acp/core/internal";
import { type Decoder, invalid } from "@acp/schema";
import { decodeProxySuccessorRequest } from "@acp/schema/v1/unstable";
import type { ProxySuccessorRequest } from "@acp/schema/v1/unstable/types";
import { Accompanied, type Members, separate } from "../beside.ts";
import { unqueuedMethods } from "../open-method-index.ts";
import type { Envelopes } from "../relay-end.ts";

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
  readonly #beside: Members | undefined;

  constructor(method: string, params: unknown, lane: string | undefined, beside?: Members) {
    this.method = method;
    this.params = params;
    this.#lane = lane;
    this.#beside = beside;
  }

  get sessionId(): string | undefined {
    return this.#lane;
  }

  /** The params inside, with what stood beside those of the envelope. */
  get received(): unknown {
    return this.#beside === undefined ? this.params : new Accompanied(this.params, this.#beside);
  }
}

function laneOfRequest(_method: string, params: unknown): string | undefined {
  const sessionId = readSessionId(params);
  return sessionId === undefined ? undefined : `\0${sessionId}`;
}

function laneOfNotification(method: string, params: unknown): string {
  const sessionId = readSessionId(params) ?? "";
  // What must not wait behind other notifications has a lane of its own.
  return unqueuedMethods.has(method) ? `\0${method} ${sessionId}` : `\0${sessionId}`;
}

/** Puts messages into envelopes. */
export const envelopes: Envelopes = {
  method: successorMethod,
  request: (method, params) => new SuccessorEnvelope(method, params, laneOfRequest(method, params)),
  notification: (method, params) => new SuccessorEnvelope(method, params, laneOfNotification(method, params)),
};

/** Reads received envelopes of requests. */
export const decodeRequestEnvelope: Decoder<SuccessorEnvelope> = decoderFor(laneOfRequest);
/** Reads received envelopes of notifications. */
export const decodeNotificationEnvelope: Decoder<SuccessorEnvelope> = decoderFor(laneOfNotification);

function decoderFor(laneOf: typeof laneOfRequest): Decoder<SuccessorEnvelope> {
  return (received, notes) => {
    const { value, beside } = separate(received);
    const decoded = decodeProxySuccessorRequest(value, notes);
    if (decoded === invalid) return invalid;
    const { method, params } = decoded;
    return new SuccessorEnvelope(method, params, laneOf(method, params), beside);
  };
}

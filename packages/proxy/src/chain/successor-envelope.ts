import { readSessionId } from "@acp/core/internal";
import { type Decoder, invalid } from "@acp/schema";
import { decodeProxySuccessorRequest } from "@acp/schema/v1/unstable";
import type { ProxySuccessorRequest } from "@acp/schema/v1/unstable/types";
import { type ExtraMembers, splitExtra, WithExtra } from "../extra-members.ts";
import { unqueuedMethods } from "../relay.ts";
import type { Envelopes } from "../relay-end.ts";

/** Carries a request or notification to the successor of a proxy, or from there. */
export const successorMethod = "proxy/successor";
/** Initializes a proxy. */
export const initializeProxyMethod = "proxy/initialize";

/**
 * The params of `proxy/successor`.
 *
 * The connection orders messages by the `sessionId` of their params. For an envelope that is the session of the message
 * inside, with a mark, so that messages of the client's side and of the successor do not wait for each other. It is a getter
 * of the class, so JSON does not contain it.
 */
export class SuccessorEnvelope implements ProxySuccessorRequest {
  readonly method: string;
  readonly params?: unknown;
  readonly #lane: string | undefined;
  readonly #extra: ExtraMembers | undefined;

  constructor(method: string, params: unknown, lane: string | undefined, extra?: ExtraMembers) {
    this.method = method;
    this.params = params;
    this.#lane = lane;
    this.#extra = extra;
  }

  get sessionId(): string | undefined {
    return this.#lane;
  }

  /** The params inside, with the extra members of the message. */
  get received(): unknown {
    return this.#extra === undefined ? this.params : new WithExtra(this.params, this.#extra);
  }
}

function laneOfRequest(_method: string, params: unknown): string | undefined {
  const sessionId = readSessionId(params);
  return sessionId === undefined ? undefined : `\0${sessionId}`;
}

function laneOfNotification(method: string, params: unknown): string {
  const sessionId = readSessionId(params) ?? "";
  // A lane of its own, so that it does not wait for other notifications.
  return unqueuedMethods.has(method) ? `\0${method} ${sessionId}` : `\0${sessionId}`;
}

export const envelopes: Envelopes = {
  method: successorMethod,
  request: (method, params) => new SuccessorEnvelope(method, params, laneOfRequest(method, params)),
  notification: (method, params) => new SuccessorEnvelope(method, params, laneOfNotification(method, params)),
};

export const decodeRequestEnvelope: Decoder<SuccessorEnvelope> = decoderFor(laneOfRequest);
export const decodeNotificationEnvelope: Decoder<SuccessorEnvelope> = decoderFor(laneOfNotification);

function decoderFor(laneOf: typeof laneOfRequest): Decoder<SuccessorEnvelope> {
  return (received, notes) => {
    const { value, extra } = splitExtra(received);
    const decoded = decodeProxySuccessorRequest(value, notes);
    if (decoded === invalid) return invalid;
    const { method, params } = decoded;
    return new SuccessorEnvelope(method, params, laneOf(method, params), extra);
  };
}

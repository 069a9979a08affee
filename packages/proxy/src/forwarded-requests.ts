import { RequestError } from "@acp/core";
import { rawValue } from "@acp/core/internal";

/** A request that was forwarded to another connection. */
export interface ForwardedRequest<To> {
  /** The id it was received with, as JSON text. */
  readonly receivedId: string;
  readonly to: To;
  /** The id it was sent with. */
  readonly sentId: number;
}

/** The pending requests that one connection received and that were forwarded to others (`To`). */
export class ForwardedRequests<To> {
  readonly #requests = new Set<ForwardedRequest<To>>();

  /**
   * Forwards a request, and resolves with its result. The same request may be forwarded more than once.
   *
   * @throws {RequestError} the error of the answer, ready to be answered with.
   */
  async forward(
    receivedId: string,
    to: To,
    send: (onSent: (id: number) => void) => Promise<unknown>,
  ): Promise<unknown> {
    let request: ForwardedRequest<To> | undefined;
    try {
      return await send((sentId) => this.#requests.add((request = { receivedId, to, sentId })));
    } catch (error) {
      // A handler that throws the error of another request does not answer with its `wire`.
      if (error instanceof RequestError) throw new RequestError(error.wire, { cause: error });
      throw error;
    } finally {
      if (request !== undefined) this.#requests.delete(request);
    }
  }

  /** The forwarded requests that `$/cancel_request` means with this id, as JSON text. */
  withReceivedId(id: string): readonly ForwardedRequest<To>[] {
    return [...this.#requests].filter(({ receivedId }) => receivedId === id);
  }

  /** The id that a request was received with, from the one it was sent with. */
  receivedIdOf(to: To, id: unknown): unknown {
    for (const request of this.#requests) {
      if (request.to === to && request.sentId === id) return JSON.parse(request.receivedId);
    }
    return undefined;
  }
}

/** The exact text of a `requestId` that JavaScript rounds, by the params that contain it. */
const exactIds = new WeakMap<object, string>();

/** Keeps the exact text of the `requestId` of params, in an envelope or not, if JavaScript rounds it. */
export function keepRequestId(text: string, params: unknown, path: readonly string[] = ["params"]): void {
  if (typeof params !== "object" || params === null) return;
  if ("requestId" in params) {
    const { requestId } = params;
    if (typeof requestId !== "number" || Number.isSafeInteger(requestId)) return;
    const raw = rawValue(text, [...path, "requestId"]);
    if (raw !== undefined) exactIds.set(params, raw);
  } else if (path.length === 1 && "params" in params) keepRequestId(text, params.params, [...path, "params"]);
}

/** The `requestId` of params as exact JSON text; `undefined` if there is none. */
export function requestIdText(params: unknown): string | undefined {
  if (typeof params !== "object" || params === null || !("requestId" in params)) return undefined;
  const { requestId } = params;
  // No request has such an id, and it may be nested too deeply to be written.
  if (typeof requestId === "object" && requestId !== null) return undefined;
  // The rounded number could be the id of another request.
  const isRounded = typeof requestId === "number" && !Number.isSafeInteger(requestId);
  return isRounded ? exactIds.get(params) : JSON.stringify(requestId);
}

/** Params with their `requestId` translated, if it names a pending request. */
export function translateRequestId(params: unknown, translate: (id: unknown) => unknown): unknown {
  if (typeof params !== "object" || params === null || !("requestId" in params)) return params;
  const requestId = translate(params.requestId);
  return requestId === undefined ? params : { ...params, requestId };
}

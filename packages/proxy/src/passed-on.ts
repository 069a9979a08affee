import { RequestError } from "@acp/core";
import { rawValue } from "@acp/core/internal";

/** A request on its way from one connection to another. */
export interface PassedOnRequest<To> {
  /** The id that it arrived with, as JSON text. */
  readonly arrivedAs: string;
  readonly to: To;
  /** The id that it went out with. */
  readonly sentAs: number;
}

/** The requests that arrived on one connection, went out on others (`To`), and have no answer yet. */
export class PassedOn<To> {
  readonly #requests = new Set<PassedOnRequest<To>>();

  /**
   * Passes one on, and resolves with its result. A request may be passed on more than once.
   *
   * @throws {RequestError} the error that was answered, for the handler that lets it through to answer with.
   */
  async pass(arrivedAs: string, to: To, send: (onSent: (id: number) => void) => Promise<unknown>): Promise<unknown> {
    let request: PassedOnRequest<To> | undefined;
    try {
      return await send((sentAs) => this.#requests.add((request = { arrivedAs, to, sentAs })));
    } catch (error) {
      // Passed on as it came: an error of another request would not be.
      if (error instanceof RequestError) throw new RequestError(error.wire, { cause: error });
      throw error;
    } finally {
      if (request !== undefined) this.#requests.delete(request);
    }
  }

  /** What the request with this id (as JSON text), which `$/cancel_request` names, went out as. */
  ofArrival(id: string): readonly PassedOnRequest<To>[] {
    return [...this.#requests].filter(({ arrivedAs }) => arrivedAs === id);
  }

  /** The id that a request arrived with, from the one it went out with. */
  arrivalOf(to: To, id: unknown): unknown {
    for (const request of this.#requests) {
      if (request.to === to && request.sentAs === id) return JSON.parse(request.arrivedAs);
    }
    return undefined;
  }
}

/** The digits of `requestId`, by the params that they are in, where a number is not what came. */
const digits = new WeakMap<object, string>();

/** Keeps the `requestId` of params, in an envelope or not, as it stands in the text of their message if it is rounded. */
export function keepRequestId(text: string, params: unknown, path: readonly string[] = ["params"]): void {
  if (typeof params !== "object" || params === null) return;
  if ("requestId" in params) {
    const { requestId } = params;
    if (typeof requestId !== "number" || Number.isSafeInteger(requestId)) return;
    const raw = rawValue(text, [...path, "requestId"]);
    if (raw !== undefined) digits.set(params, raw);
  } else if (path.length === 1 && "params" in params) keepRequestId(text, params.params, [...path, "params"]);
}

/** The id that params name a request by, as JSON text, exactly as it came; `undefined` if there is none. */
export function requestIdText(params: unknown): string | undefined {
  if (typeof params !== "object" || params === null || !("requestId" in params)) return undefined;
  const { requestId } = params;
  // No request has such an id, and it may be nested deeper than can be written.
  if (typeof requestId === "object" && requestId !== null) return undefined;
  const isRounded = typeof requestId === "number" && !Number.isSafeInteger(requestId);
  // Without its digits it could be the id of another one.
  return isRounded ? digits.get(params) : JSON.stringify(requestId);
}

/** Params with the id of the same request on the other side, if they name one that is going on. */
export function withRequestId(params: unknown, translate: (id: unknown) => unknown): unknown {
  if (typeof params !== "object" || params === null || !("requestId" in params)) return params;
  const requestId = translate(params.requestId);
  return requestId === undefined ? params : { ...params, requestId };
}

import { RequestError } from "../errors.ts";

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

  /** What the request with this id, which `$/cancel_request` names, went out as. */
  ofArrival(id: unknown): readonly PassedOnRequest<To>[] {
    return [...this.#requests].filter(({ arrivedAs }) => isSameId(arrivedAs, id));
  }

  /** The id that a request arrived with, from the one it went out with. */
  arrivalOf(to: To, id: unknown): unknown {
    for (const request of this.#requests) {
      if (request.to === to && request.sentAs === id) return JSON.parse(request.arrivedAs);
    }
    return undefined;
  }
}

/** Whether an id as JSON text is this one. What is above 2^53 was rounded when it was read. */
export function isSameId(text: string, id: unknown): boolean {
  return JSON.stringify(JSON.parse(text)) === JSON.stringify(id);
}

/** Params with the id of the same request on the other side, if they name one that is going on. */
export function withRequestId(params: unknown, translate: (id: unknown) => unknown): unknown {
  if (typeof params !== "object" || params === null || !("requestId" in params)) return params;
  const requestId = translate(params.requestId);
  return requestId === undefined ? params : { ...params, requestId };
}

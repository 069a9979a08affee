import { RequestError, type RequestOptions } from "@acp/core";
import { separate } from "./beside.ts";
import type { RelayEnd } from "./relay-end.ts";

/** A neighbour of a proxy, for messages of the proxy's own. What is sent and received is not checked. */
export interface ProxyPeer {
  /**
   * Calls a method, and resolves with its result as it came.
   *
   * @throws {RequestError} the error that was answered.
   * @throws {ConnectionClosedError} the connection with it has ended.
   */
  request(method: string, params?: unknown, options?: RequestOptions): Promise<unknown>;
  /** Sends a notification. The promise is pending while its receiver is slow to read. */
  notify(method: string, params?: unknown): Promise<void>;
}

/** Whoever is at the other side of an end. */
export function peerAt(end: RelayEnd): ProxyPeer {
  return {
    request: (method, params, options) => call(end, method, params, options?.signal),
    notify: (method, params) => end.notify(method, params),
  };
}

/** Sends a request that is taken back when the signal aborts; the promise rejects then. */
async function call(end: RelayEnd, method: string, params: unknown, signal: AbortSignal | undefined): Promise<unknown> {
  signal?.throwIfAborted();
  let id = 0;
  let abandon = (): void => {};
  const abandoned = new Promise<never>((_, reject) => {
    abandon = () => {
      // As it may answer all the same, it is told where it was asked.
      end.notify("$/cancel_request", { requestId: id }).catch(() => {});
      reject(signal?.reason);
    };
  });
  const answered = end.send(method, params, (sent) => (id = sent));
  signal?.addEventListener("abort", abandon, { once: true });
  try {
    return separate(await Promise.race([answered, abandoned])).value;
  } catch (error) {
    // By the name that the caller knows, not by that of an envelope.
    throw error instanceof RequestError ? new RequestError(error.wire, { method, cause: error }) : error;
  } finally {
    signal?.removeEventListener("abort", abandon);
  }
}

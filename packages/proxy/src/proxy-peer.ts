import { RequestError, type RequestOptions } from "@acp/core";
import { splitExtra } from "./extra-members.ts";
import type { RelayEnd } from "./relay-end.ts";

/** A neighbour of a proxy, for the proxy's own messages. Their contents are not checked. */
export interface ProxyPeer {
  /**
   * Calls a method, and resolves with its result as it came.
   *
   * @throws {RequestError} the error of the answer.
   * @throws {ConnectionClosedError} the connection with it has ended.
   */
  request(method: string, params?: unknown, options?: RequestOptions): Promise<unknown>;
  /** Sends a notification. The promise is pending while the receiver is slow. */
  notify(method: string, params?: unknown): Promise<void>;
}

/** The peer at the other side of an end. */
export function peerAt(end: RelayEnd): ProxyPeer {
  return {
    request: (method, params, options) => call(end, method, params, options?.signal),
    notify: (method, params) => end.notify(method, params),
  };
}

/** Sends a request. When the signal aborts, cancels the request and rejects. */
async function call(end: RelayEnd, method: string, params: unknown, signal: AbortSignal | undefined): Promise<unknown> {
  signal?.throwIfAborted();
  let id = 0;
  let abandon = (): void => {};
  const abandoned = new Promise<never>((_, reject) => {
    abandon = () => {
      end.notify("$/cancel_request", { requestId: id }).catch(() => {});
      reject(signal?.reason);
    };
  });
  const answered = end.send(method, params, (sent) => (id = sent));
  signal?.addEventListener("abort", abandon, { once: true });
  try {
    return splitExtra(await Promise.race([answered, abandoned])).value;
  } catch (error) {
    // Names the method of the caller, not that of an envelope.
    throw error instanceof RequestError ? new RequestError(error.wire, { method, cause: error }) : error;
  } finally {
    signal?.removeEventListener("abort", abandon);
  }
}

import { ProtocolError, TimeoutError } from "../../base/errors.ts";
import { backgroundTimer, checkLimit } from "../../base/timers.ts";
import type { Connection } from "../../rpc/connection.ts";
import type { OnResult } from "../../rpc/outgoing-requests.ts";

/** How long a client waits for the answer to its opening call, and the signals that end the wait earlier. */
export interface HandshakeLimits {
  readonly startTimeout: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Makes the opening call of a connection (INIT-01 to INIT-04), and returns the answer; `onAnswer` runs the moment it
 * arrives.
 *
 * @throws {TimeoutError} no answer in time (phase `initialize`).
 * @throws {ProtocolError} the agent speaks another version (INIT-10).
 */
export async function handshake(
  connection: Connection,
  method: string,
  params: { readonly protocolVersion: number },
  { startTimeout, signal }: HandshakeLimits,
  onAnswer: OnResult,
): Promise<unknown> {
  checkLimit("startTimeout", startTimeout);
  const limit = new AbortController();
  const stop = backgroundTimer(() => {
    const message = `The agent did not answer ${method} within ${startTimeout} ms`;
    limit.abort(new TimeoutError("initialize", startTimeout, message));
  }, startTimeout);
  const abort = (): void => limit.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener("abort", abort, { once: true });
  let answer: unknown;
  try {
    answer = await connection.request(method, params, { signal: limit.signal }, onAnswer);
  } finally {
    stop();
    signal?.removeEventListener("abort", abort);
  }
  const { protocolVersion } = answer as { readonly protocolVersion: number };
  if (protocolVersion === params.protocolVersion) return answer;
  const reason = `is ${protocolVersion}, but only version ${params.protocolVersion} is spoken here`;
  throw new ProtocolError(method, ["result", "protocolVersion"], reason);
}

import { AbortReason } from "../../base/abort.ts";
import { CapabilityError, UsageError } from "../../base/errors.ts";

/** A call that opens a session. */
export interface OpeningCall<S> {
  readonly method: string;
  readonly params: unknown;
  /** Whether the params or the result name the session. */
  readonly named: "params" | "result";
  /** @throws if the call breaks a rule, before it is sent. */
  check(params: unknown): void;
  /** `onResult` runs the moment the answer arrives. */
  send(params: unknown, onResult: (result: unknown) => void): Promise<unknown>;
  /** Runs `attempt` within the rules that wrap calls. They may change the params and repeat it, unless the session has ended. */
  within(attempt: (params: unknown) => Promise<unknown>, session: S | undefined): Promise<unknown>;
}

/** Removes internal frames from the stack trace, which has ten: the caller's should be among them. */
export function fromCaller(error: unknown, called: (...args: never[]) => unknown): unknown {
  // Missing in older versions of Firefox and Safari.
  const { captureStackTrace } = Error as { captureStackTrace?: (error: Error, above: typeof called) => void };
  // Not of the error that ended the connection: others have it as well.
  if (!(error instanceof UsageError || error instanceof CapabilityError)) return error;
  const { stack } = error;
  captureStackTrace?.(error, called);
  // An interceptor has waited: by then the caller is no longer on the stack.
  if (error.stack?.includes("\n") === false && stack !== undefined) error.stack = stack;
  return error;
}

export function reopenedBy(method: string): AbortReason {
  return new AbortReason(`The session was opened again by ${method}`);
}

export function endedWhileOpening(method: string): UsageError {
  return new UsageError(`${method}: the session has ended while it was being opened`);
}

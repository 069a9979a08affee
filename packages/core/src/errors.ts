import { formatIssue, type Path } from "@acp/schema";

/** The base of every error this toolkit throws. `code` is stable; match on it, not on the message. */
export abstract class AcpError extends Error {
  abstract readonly code: string;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** A JSON-RPC error object as it stands on the wire (JSON-RPC 2.0 §5.1). */
export interface WireError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** The error codes ACP uses on the wire (ERR-01). */
export const ErrorCode = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  requestCancelled: -32800,
  authRequired: -32000,
  resourceNotFound: -32002,
} as const;

/**
 * An error answer: received from the peer, or thrown by a handler to be sent as it is.
 *
 * Anything else a handler throws is answered with `-32603` and no details.
 */
export class RequestError extends AcpError {
  readonly code = "request_failed";
  /** The error object on the wire. */
  declare readonly wire: WireError;
  /** The method it answers, where known. */
  declare readonly method: string | undefined;

  constructor(wire: WireError, options: { readonly method?: string; readonly cause?: unknown } = {}) {
    super(options.method === undefined ? wire.message : `${options.method}: ${wire.message} (${wire.code})`, {
      cause: options.cause,
    });
    this.wire = wire;
    this.method = options.method;
  }

  /** `-32602`: the params break a rule. `data` may say which. */
  static invalidParams(message: string, data?: unknown): RequestError {
    return new RequestError({ code: -32602 satisfies typeof ErrorCode.invalidParams, message, data });
  }

  /** `-32002`: a file, session or terminal that does not exist. */
  static resourceNotFound(message: string, data?: unknown): RequestError {
    return new RequestError({ code: -32002 satisfies typeof ErrorCode.resourceNotFound, message, data });
  }

  /**
   * `-32000`: somebody has to log in first (AUTH-08). Without `data` the client is told how: the
   * connection fills in the login methods that the agent has offered (AUTH-09).
   */
  static authRequired(message = "Authentication required", data?: unknown): RequestError {
    return new RequestError({ code: -32000 satisfies typeof ErrorCode.authRequired, message, data });
  }

  /** `-32603`, with a message of yours instead of the bare one. */
  static internalError(message: string, data?: unknown): RequestError {
    return new RequestError({ code: -32603 satisfies typeof ErrorCode.internalError, message, data });
  }
}

/** The connection ended before the answer came, or the call came after its end. */
export class ConnectionClosedError extends AcpError {
  readonly code: string = "connection_closed";
}

/** The agent's process ended. Pending calls reject with it. */
export class ProcessExitError extends ConnectionClosedError {
  override readonly code = "process_exited";
  /** Its exit code, or `null` if a signal ended it. */
  declare readonly exitCode: number | null;
  /** The signal that ended it, such as `SIGKILL`, or `null`. */
  declare readonly signal: string | null;
  /** The end of what it wrote to stderr. */
  declare readonly stderr: string;

  constructor(
    message: string,
    exit: { readonly exitCode: number | null; readonly signal: string | null; readonly stderr: string },
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.exitCode = exit.exitCode;
    this.signal = exit.signal;
    this.stderr = exit.stderr;
  }
}

/** Something took longer than its limit. */
export class TimeoutError extends AcpError {
  readonly code = "timeout";
  /** What was being waited for: `start`, `initialize`, `cancel`, … */
  declare readonly phase: string;
  /** The limit, in milliseconds. */
  declare readonly milliseconds: number;

  constructor(phase: string, milliseconds: number, message: string) {
    super(message);
    this.phase = phase;
    this.milliseconds = milliseconds;
  }
}

/** The peer sent something the protocol does not allow. */
export class ProtocolError extends AcpError {
  readonly code = "protocol_violation";
  declare readonly method: string;
  /** Where in the message. */
  declare readonly path: Path;
  declare readonly reason: string;

  constructor(method: string, path: Path, reason: string) {
    super(`${method}: ${formatIssue({ path, reason })}`);
    this.method = method;
    this.path = path;
    this.reason = reason;
  }
}

/** The peer did not advertise what the call needs; nothing was sent (INIT-12). */
export class CapabilityError extends AcpError {
  readonly code = "missing_capability";
  declare readonly method: string;
  /** The missing capability, dotted: `fs.readTextFile`. */
  declare readonly capability: string;

  constructor(method: string, capability: string, message: string) {
    super(message);
    this.method = method;
    this.capability = capability;
  }
}

/** A message of ours is over the size limit (`maxMessageBytes`); it was not sent, and the connection goes on. */
export class MessageTooLargeError extends AcpError {
  readonly code = "message_too_large";
  declare readonly method: string;
  /** Its size, in bytes of UTF-8. */
  declare readonly bytes: number;
  /** The limit, in bytes. */
  declare readonly limit: number;

  constructor(method: string, bytes: number, limit: number) {
    super(`${method}: a message of ${bytes} bytes is over the limit of ${limit} (maxMessageBytes)`);
    this.method = method;
    this.bytes = bytes;
    this.limit = limit;
  }
}

/** The toolkit was called in a way that cannot work; the message says what to change. */
export class UsageError extends AcpError {
  readonly code = "usage";
}

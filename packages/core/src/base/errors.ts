import { formatIssue, type Path } from "@acp/schema";
import { isObject } from "./values.ts";

/** What an error class has in every copy of this module. */
interface ErrorClass {
  readonly errorName: string;
}

/**
 * An error with its name on the prototype: it is there before the stack is written, and is no member of its own. The compiler
 * sees a plain Error, so a class that extends one of ours may have `name` as a field.
 */
const NamedError: new (message: string, options?: ErrorOptions) => Error = class extends Error {
  override get name(): string {
    return (this.constructor as unknown as ErrorClass).errorName;
  }

  override set name(value: string) {
    Object.defineProperty(this, "name", { value, configurable: true, writable: true });
  }
};

/**
 * The base class of this toolkit's errors. Match on `code` or on the class: both are stable across versions, messages
 * are not.
 *
 * `instanceof` also works if a program has loaded two copies of the toolkit and the error comes from the other one.
 */
export abstract class AcpError extends NamedError {
  /** The value of `name`. Unlike a class name, it survives bundlers and is the same in every copy. */
  protected static readonly errorName: string = "AcpError";
  /** What went wrong, such as `timeout`. The same for all errors of a class, in every version. */
  abstract readonly code: string;

  /** Adds name and message, which JSON leaves out of other errors: for logs, and for other processes. */
  toJSON(): object {
    return { name: this.name, message: this.message, ...(this as object) };
  }

  /** Makes `instanceof` work for errors of another copy of the toolkit. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    if (super[Symbol.hasInstance](value)) return true;
    // A subclass inherits the name of one of ours, but does not own it.
    let other: unknown = Object.hasOwn(this, "errorName") ? value?.constructor : undefined;
    for (; typeof other === "function"; other = Object.getPrototypeOf(other)) {
      if ((other as unknown as ErrorClass).errorName === this.errorName) return true;
    }
    return false;
  }
}

/** A JSON-RPC error object as it is on the wire (JSON-RPC 2.0 §5.1). */
export interface WireError {
  /** One of {@link ErrorCode}, or any other integer. */
  readonly code: number;
  /** A sentence for people. */
  readonly message: string;
  /** Details from the sender, such as a path and a reason. */
  readonly data?: unknown;
}

/** The error codes on the wire (ERR-01). */
export const ErrorCode = {
  /** The text is not JSON. */
  parseError: -32700,
  /** Not a JSON-RPC request, or a request at the wrong time. */
  invalidRequest: -32600,
  /** There is no handler for the method. */
  methodNotFound: -32601,
  /** The params have the wrong shape, or break a rule. */
  invalidParams: -32602,
  /** The handler failed. */
  internalError: -32603,
  /** The request was cancelled. */
  requestCancelled: -32800,
  /** The user has to log in first. */
  authRequired: -32000,
  /** There is no such file, session, terminal or other resource. */
  resourceNotFound: -32002,
  /** Too many requests are pending. This is a code of this toolkit, because the protocol has none. */
  tooManyRequests: -32005,
  /** Version 2: the peer does not support the requested protocol version or any earlier one. */
  unsupportedProtocolVersion: -32022,
} as const;

/**
 * An error response. A call rejects with it when the peer responds with an error. A handler throws it to choose its
 * error response; for anything else that a handler throws, the peer gets `-32603` without details.
 *
 * The `message` of a received error also quotes short texts in its `data`. Match on `wire`, not on the message.
 */
export class RequestError extends AcpError {
  protected static override readonly errorName: string = "RequestError";
  readonly code = "request_failed";
  /** The error object as it is on the wire. */
  declare readonly wire: WireError;
  /** The method that was called; `undefined` for an error that a handler creates. */
  declare readonly method: string | undefined;

  /** @throws {UsageError} if `wire` is not a JSON-RPC error object. */
  constructor(wire: WireError, options?: { readonly method?: string; readonly cause?: unknown }) {
    const method = options?.method;
    // In JavaScript; other libraries take (code, message, data), or (data, message).
    if (typeof wire?.message !== "string" || !Number.isInteger(wire.code)) {
      throw new UsageError("RequestError takes { code, message, data }; its functions (message, data)");
    }
    super(method === undefined ? wire.message : describeAnswer(method, wire), options);
    this.wire = wire;
    // A logged error shows every member, even one that is undefined.
    if (method !== undefined) this.method = method;
  }

  /** `-32602`: the params break a rule. `data` may say which. */
  static invalidParams(message: string, data?: unknown): RequestError {
    return createRequestError(-32602 satisfies typeof ErrorCode.invalidParams, message, data);
  }

  /** `-32002`: a file, session or terminal that does not exist. */
  static resourceNotFound(message: string, data?: unknown): RequestError {
    return createRequestError(-32002 satisfies typeof ErrorCode.resourceNotFound, message, data);
  }

  /**
   * `-32000`: the user has to log in first (AUTH-08). Default message: `Authentication required`. Without `data`, the
   * connection adds the login methods that the agent has offered (AUTH-09).
   */
  static authRequired(message = "Authentication required", data?: unknown): RequestError {
    return createRequestError(-32000 satisfies typeof ErrorCode.authRequired, message, data);
  }

  /** `-32603` with your own message, instead of the bare `Internal error`. */
  static internalError(message: string, data?: unknown): RequestError {
    return createRequestError(-32603 satisfies typeof ErrorCode.internalError, message, data);
  }
}

function createRequestError(code: number, message: string, data: unknown): RequestError {
  return new RequestError({ code, message, ...(data !== undefined && { data }) });
}

function describeAnswer(method: string, { code, message, data }: WireError): string {
  const start = `${method}: ${message}`;
  const more = extractWords(data, start);
  return `${start}${more && `: ${more}`} (${code})`;
}

/** How much of a peer's error a message quotes, in characters. */
const maxWords = 300;

/**
 * Extracts the words of a received error, on one line and in short. Many peers, and this toolkit, say only in `data` what is
 * wrong. Words that `start` has are not repeated.
 */
function extractWords(value: unknown, start = ""): string {
  const members: Readonly<Record<string, unknown>> = isObject(value) ? value : { details: value };
  // The reason of -32000 is a code; its message has the words.
  const isNew = (text: unknown): boolean =>
    typeof text === "string" && text !== "" && text !== "auth_required" && !start.includes(text);
  const place = [members["path"], members["reason"]].filter(isNew).join(" ");
  const { message, details, error, method, correlationId } = members;
  // Agents often pass on the answer of a model's provider unchanged.
  const inner = (error as { readonly message?: unknown } | null | undefined)?.message;
  const words = [place, message, details, error, inner, method, correlationId].filter(isNew).join("; ");
  const line = words
    .slice(0, maxWords)
    .replace(/[\p{C}\p{Z}]+/gu, " ")
    .trim();
  return words.length > maxWords ? `${line}…` : line;
}

/**
 * The process that an error is about. The message names it by its whole command line, which may hold keys: use this to
 * name it in another way.
 */
export interface FailedProcess {
  /** The command that started it. */
  readonly command: string;
  /** The arguments of the command. */
  readonly args: readonly string[];
  /** The id of the process; `undefined` if it did not start in time. */
  readonly pid: number | undefined;
  /** What happened, in words that follow the name of the process: `exited with code 3`. */
  readonly event: string;
  /** The lines of its stderr that the message quotes; none if it wrote nothing there. */
  readonly quoted: readonly string[];
}

/** The connection ended before the response arrived, or before the call. */
export class ConnectionClosedError extends AcpError {
  protected static override readonly errorName: string = "ConnectionClosedError";
  readonly code: string = "connection_closed";
  /** The process of the agent, if it has ended, or closed its stdin or stdout. Otherwise `undefined`. */
  declare readonly process: FailedProcess | undefined;

  constructor(message: string, options?: ErrorOptions & { readonly process?: FailedProcess | undefined }) {
    super(message, options);
    if (options?.process !== undefined) this.process = options.process;
  }
}

/** The agent's process ended by itself. Pending and later calls reject with this error. */
export class ProcessExitError extends ConnectionClosedError {
  protected static override readonly errorName: string = "ProcessExitError";
  override readonly code = "process_exited";
  /** The exit code, or `null` if a signal ended the process. */
  declare readonly exitCode: number | null;
  /** The signal that ended the process, such as `SIGKILL`, or `null`. */
  declare readonly signal: string | null;
  /** The end of what the process wrote to stderr, at most 64 KiB. */
  declare readonly stderr: string;

  constructor(
    message: string,
    exit: { readonly exitCode: number | null; readonly signal: string | null; readonly stderr: string },
    options?: ErrorOptions & { readonly process?: FailedProcess | undefined },
  ) {
    super(message, options);
    this.exitCode = exit?.exitCode;
    this.signal = exit?.signal;
    this.stderr = exit?.stderr;
  }
}

/** Something took longer than its limit. */
export class TimeoutError extends AcpError {
  protected static override readonly errorName: string = "TimeoutError";
  readonly code = "timeout";
  /**
   * What took too long: `start` (starting the process in `spawnAgent`), `initialize` (the response to it), `cancel`
   * (the end of a cancelled turn), or `reopen` (reopening a session on a new agent of `superviseAgent`).
   */
  declare readonly phase: string;
  /** The limit, in milliseconds. */
  declare readonly milliseconds: number;
  /** The process of the agent in the phases `start` and `initialize` of `spawnAgent`. Otherwise `undefined`. */
  declare readonly process: FailedProcess | undefined;

  constructor(phase: string, milliseconds: number, message: string, process?: FailedProcess) {
    super(message);
    this.phase = phase;
    this.milliseconds = milliseconds;
    if (process !== undefined) this.process = process;
  }
}

/** The peer's response breaks the protocol. */
export class ProtocolError extends AcpError {
  protected static override readonly errorName: string = "ProtocolError";
  readonly code = "protocol_violation";
  /** The method that was called. */
  declare readonly method: string;
  /** The place in the message: `["result", "stopReason"]`. */
  declare readonly path: Path;
  /** What is wrong there. */
  declare readonly reason: string;
  /** The `error` of the response, as received, if it breaks the protocol; otherwise `undefined`. */
  declare readonly received: unknown;

  constructor(method: string, path: Path, reason: string, received?: unknown) {
    const words = extractWords(received);
    super(`${method}: ${formatIssue({ path, reason })}${words && `; the answer says: ${words}`}`);
    this.method = method;
    this.path = path;
    this.reason = reason;
    if (received !== undefined) this.received = received;
  }
}

/** The peer did not advertise the capability that the call requires; nothing was sent (INIT-12). */
export class CapabilityError extends AcpError {
  protected static override readonly errorName: string = "CapabilityError";
  readonly code = "missing_capability";
  /** The method of the request or notification. */
  declare readonly method: string;
  /**
   * The missing capability, with dots: `fs.readTextFile`. In words if something else is missing: `modes in the session's setup
   * answer`, `a login method of type agent`.
   */
  declare readonly capability: string;

  constructor(method: string, capability: string, message: string) {
    super(message);
    this.method = method;
    this.capability = capability;
  }
}

/** A message of this side is over the size limit (`maxMessageBytes`). It was not sent, and the connection continues. */
export class MessageTooLargeError extends AcpError {
  protected static override readonly errorName: string = "MessageTooLargeError";
  readonly code = "message_too_large";
  /** The method of the message. */
  declare readonly method: string;
  /** The size of the message, in bytes of UTF-8. */
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

/**
 * A loop over `updates` left more updates unread than the client's option `unreadUpdates` allows. The loop got the
 * earlier updates; the turn and the session continue.
 */
export class UnreadUpdatesError extends AcpError {
  protected static override readonly errorName: string = "UnreadUpdatesError";
  readonly code = "unread_updates";
  /** The session of the updates. */
  declare readonly sessionId: string;
  /** The value of the limit. */
  declare readonly limit: number;

  constructor(sessionId: string, option: string, limit: number) {
    super(
      `A loop over the updates of a session has left more unread than ${option} allows (${limit}); it gets no more`,
    );
    this.sessionId = sessionId;
    this.limit = limit;
  }
}

/** The toolkit was used in a way that cannot work. The message says what to change. */
export class UsageError extends AcpError {
  protected static override readonly errorName: string = "UsageError";
  readonly code = "usage";
}

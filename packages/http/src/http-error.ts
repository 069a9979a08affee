import { ConnectionClosedError } from "@acp/core";

interface HttpFailure {
  readonly status?: number | undefined;
  readonly body?: string | undefined;
  readonly cause?: unknown;
}

/**
 * An HTTP request failed and ended the connection: the server refuses it (401, 403), does not know the connection any more
 * (404, 410), cannot be reached, or has broken off a stream that cannot be resumed. Pending and later calls reject with this error. Connect again,
 * and load or resume the sessions if the agent can.
 */
export class HttpError extends ConnectionClosedError {
  protected static override readonly errorName: string = "HttpError";
  override readonly code = "http_failed";
  /** The status of the answer, or `undefined` if there was none. */
  declare readonly status: number | undefined;
  /** The beginning of the answer, at most 8 KiB. May be private. */
  declare readonly body: string | undefined;

  constructor(message: string, failure: HttpFailure) {
    super(message, failure?.cause === undefined ? undefined : { cause: failure.cause });
    this.status = failure?.status;
    this.body = failure?.body;
  }
}

/** The network failed, or a proxy did not reach the server: the same request may succeed a moment later. */
export class PassingHttpError extends HttpError {}

/** Whether no later request can succeed: with these credentials, or on this connection. */
export function endsConnection(error: HttpError): boolean {
  return error.status === undefined || [401, 403, 404, 410].includes(error.status);
}

/** Advice about an answer with this status; empty if there is none. */
export function adviceFor(status: number, location: string | null): string {
  // In browsers, a redirect has the status 0 and no location.
  if (status === 0 || (status >= 300 && status < 400))
    return `; redirects are not followed, so that credentials stay with this server: use ${location ?? "the URL it leads to"}`;
  switch (status) {
    case 401:
    case 403:
      return "; pass the credentials that the server asks for as `headers`";
    case 404:
    case 410:
      return "; check the URL, or connect again if it has worked before: the server does not know the connection";
    case 409:
      return "; something else reads this stream: connect again, or end the other one";
    case 412:
      return "; load or resume the session again";
    case 413:
      return "; the message is larger than the server takes";
    case 429:
    case 503:
      return "; try again later";
    default:
      return "";
  }
}

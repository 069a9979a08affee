import { ConnectionClosedError } from "@acp/core";

/** What is known of a failed HTTP request. */
interface HttpFailure {
  readonly status?: number | undefined;
  readonly body?: string | undefined;
  readonly cause?: unknown;
}

/**
 * An HTTP request failed in a way that ends the connection: the server refuses (401, 403), does not know the connection
 * any more (404, 410), cannot be reached, or has broken a stream off. Calls without an answer reject with this, and so do
 * later ones. Connect again; sessions can be loaded or resumed if the agent can do that.
 */
export class HttpError extends ConnectionClosedError {
  protected static override readonly errorName: string = "HttpError";
  override readonly code = "http_failed";
  /** The status of the answer, or `undefined` if there was none. */
  declare readonly status: number | undefined;
  /** The beginning of what the server said, at most 8 KiB. May be private. */
  declare readonly body: string | undefined;

  constructor(message: string, failure: HttpFailure) {
    super(message, failure.cause === undefined ? undefined : { cause: failure.cause });
    this.status = failure.status;
    this.body = failure.body;
  }
}

/** The statuses after which nothing else can succeed: not these credentials, or not this connection. */
export function endsConnection(error: HttpError): boolean {
  return error.status === undefined || [401, 403, 404, 410].includes(error.status);
}

/** What to do about an answer with such a status; empty if it says enough by itself. */
export function adviceFor(status: number, location: string | null): string {
  // Browsers show nothing of a redirect, and give it the status 0.
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
    case 413:
      return "; the message is larger than the server takes";
    case 429:
    case 503:
      return "; try again later";
    default:
      return "";
  }
}

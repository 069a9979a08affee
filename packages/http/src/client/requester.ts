import type { TextTransportOptions } from "@acp/core";
import { describeError } from "@acp/core/internal";
import { adviceFor, HttpError, PassingHttpError } from "../http-error.ts";
import { chunksOf } from "../read-body.ts";
import { type CookieJar, createCookieJar } from "./cookie-jar.ts";

/** Options of {@link createHttpTransport}. */
export interface HttpTransportOptions extends TextTransportOptions {
  /**
   * Headers of every request, such as `Authorization`, or a function that makes them before each request, for a token that
   * has to be renewed. Default: none.
   */
  readonly headers?:
    | Readonly<Record<string, string>>
    | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>)
    | undefined;
  /**
   * Where to keep cookies: a jar of {@link createCookieJar} that several transports share, or `omit` to keep none. Default:
   * a jar for this transport alone. Browsers use their own.
   */
  readonly cookies?: CookieJar | "omit" | undefined;
  /**
   * How long the client tries to reach the server again when the network fails, in milliseconds; then the session or the
   * connection fails. Only for a server of this toolkit, which resumes streams that break off. 0 never resumes.
   * Default: 30,000.
   */
  readonly resumeTimeout?: number | undefined;
  /** Makes the requests. Default: the global `fetch`. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
}

/** The differences between requests. */
export interface RequestParts {
  readonly method: "GET" | "POST" | "DELETE";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
  /** It does no harm twice, so the client repeats it when the network connection closes before the answer. */
  readonly isRepeatable?: boolean;
}

/** How often the client sends a request that is repeatable. */
const mostAttempts = 3;

/** A proxy has not reached the server, or has waited too long for it. */
const proxyFailures = [502, 504];

/** How much of the answer to a failed request is kept, in bytes. */
const shownBytes = 8 * 1024;

/**
 * Makes a request to the server, with headers and cookies. `what` names its purpose.
 *
 * @throws {HttpError} for an answer without success; it names the request, the status and what to do.
 */
export type Requester = (what: string, parts: RequestParts) => Promise<Response>;

export function createRequester(url: URL, options: HttpTransportOptions): Requester {
  const send = options.fetch ?? ((address, init) => fetch(address, init));
  const jar = options.cookies === "omit" ? undefined : (options.cookies ?? createCookieJar());
  const credentials = credentialsFor(url, jar === undefined ? "omit" : "include");

  return async (what, { method, headers, body, signal, isRepeatable = false }) => {
    const all = await headersFor(what, options);
    const cookies = jar?.header(url);
    // Keeps a cookie of `headers`, such as that of a login.
    const own = all.get("Cookie");
    if (cookies !== undefined) all.set("Cookie", own === null ? cookies : `${own}; ${cookies}`);
    for (const [name, value] of Object.entries(headers)) all.set(name, value);
    let response: Response | undefined;
    for (let attempt = 1; response === undefined; attempt++) {
      try {
        // A redirect would send the credentials and the message to another server.
        response = await send(url.href, { method, headers: all, signal, redirect: "manual", ...credentials, body });
      } catch (cause) {
        if (isRepeatable && attempt < mostAttempts && isClosed(cause) && !signal.aborted) continue;
        throw new PassingHttpError(`${method} ${url.href} for ${what} ${failureOf(cause)}`, { cause });
      }
    }
    jar?.store(url, response.headers.getSetCookie?.() ?? []);
    if (response.ok) return response;
    const text = await beginningOf(response);
    const advice = adviceFor(response.status, response.headers.get("Location"));
    // The page of a proxy has many lines.
    const line = text.trim().replaceAll(/\s+/g, " ").slice(0, 200);
    const words = line === "" ? "" : `: ${line}`;
    const message = `${method} ${url.href} for ${what} was answered with ${response.status}${words}${advice}`;
    const failure = { status: response.status, body: text };
    throw proxyFailures.includes(response.status)
      ? new PassingHttpError(message, failure)
      : new HttpError(message, failure);
  };
}

async function headersFor(what: string, { headers }: HttpTransportOptions): Promise<Headers> {
  let own: Readonly<Record<string, string>> | undefined;
  try {
    own = typeof headers === "function" ? await headers() : headers;
  } catch (cause) {
    throw new HttpError(`The headers for ${what} could not be made: ${describeError(cause)}`, { cause });
  }
  try {
    return new Headers(own ?? undefined);
  } catch {
    // The error of the runtime quotes the value, which is usually a secret.
    const name = Object.keys(own ?? {}).find((key) => !isSendable(key, own?.[key]));
    throw new HttpError(`The header ${name} for ${what} cannot be sent: it has a line break, or no Latin-1 text`, {});
  }
}

function isSendable(name: string, value: string | undefined): boolean {
  try {
    void new Headers([[name, value ?? ""]]);
    return true;
  } catch {
    return false;
  }
}

/** Describes an error of `fetch` by its cause, since its own message is empty of detail. */
function failureOf(error: unknown): string {
  const reason = reasonOf(error);
  if (!isClosed(error)) return `did not reach the server: ${reason}`;
  return `had no answer: ${reason}; the connection was closed, and whether the server has taken it is not known`;
}

function reasonOf(error: unknown): string {
  return describeError((error instanceof Error ? error.cause : undefined) ?? error);
}

/** Whether the network connection closed before the answer. Each runtime has its own words for that. */
function isClosed(error: unknown): boolean {
  return /ECONNRESET|other side closed|reset by peer|broken pipe|closed unexpectedly|closed before/i.test(
    reasonOf(error),
  );
}

/** Asks browsers to use their cookies. Edge workers reject the option. */
function credentialsFor(url: URL, credentials: "omit" | "include"): { readonly credentials?: "omit" | "include" } {
  try {
    void new Request(url, { credentials });
    return { credentials };
  } catch {
    return {};
  }
}

/**
 * The beginning of the body of an answer, which is mostly empty. Reads it rather than cancel it: that would close the network
 * connection, which the next request can use.
 */
export async function beginningOf(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let left = shownBytes;
  try {
    for await (const chunk of chunksOf(response.body)) {
      text += decoder.decode(chunk.subarray(0, left), { stream: true });
      left -= chunk.byteLength;
      if (left <= 0) break;
    }
  } catch {
    // The text is only shown, so a part of it is enough.
  }
  return text;
}

import { describeError } from "@acp/core/internal";
import { adviceFor, HttpError } from "../http-error.ts";
import { createCookieJar } from "./cookie-jar.ts";
import type { HttpTransportOptions } from "./http-transport.ts";

/** What a request is, beyond what all have in common. */
export interface RequestParts {
  readonly method: "GET" | "POST" | "DELETE";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

/** How much of what a server says about a failure is kept, in bytes. */
const shownBytes = 8 * 1024;

/**
 * Makes requests to the server, with the headers and cookies that each needs. The answer is a good one: any other throws.
 *
 * @throws {HttpError} that names the request, the status and what to do. `what` is what the request was for.
 */
export type Requester = (what: string, parts: RequestParts) => Promise<Response>;

/** A requester for this URL. */
export function createRequester(url: URL, options: HttpTransportOptions): Requester {
  const send = options.fetch ?? ((address, init) => fetch(address, init));
  const jar = options.cookies === "omit" ? undefined : (options.cookies ?? createCookieJar());
  const credentials = credentialsFor(url, jar === undefined ? "omit" : "include");

  return async (what, { method, headers, body, signal }) => {
    const all = await headersFor(what, options);
    const cookies = jar?.header(url);
    // Those of `headers` stay, such as that of a login: the jar has what the server has set.
    const given = all.get("Cookie");
    if (cookies !== undefined) all.set("Cookie", given === null ? cookies : `${given}; ${cookies}`);
    for (const [name, value] of Object.entries(headers)) all.set(name, value);
    let response: Response;
    try {
      // Redirects are not followed: whatever was meant for this server would go to another.
      response = await send(url.href, { method, headers: all, signal, redirect: "manual", ...credentials, body });
    } catch (cause) {
      throw new HttpError(`${method} ${url.href} for ${what} ${failureOf(cause)}`, { cause });
    }
    jar?.store(url, response.headers.getSetCookie?.() ?? []);
    if (response.ok) return response;
    const said = await beginningOf(response);
    const advice = adviceFor(response.status, response.headers.get("Location"));
    // A page of a proxy is of many lines, and goes into one.
    const line = said.trim().replaceAll(/\s+/g, " ").slice(0, 200);
    const words = line === "" ? "" : `: ${line}`;
    throw new HttpError(`${method} ${url.href} for ${what} was answered with ${response.status}${words}${advice}`, {
      status: response.status,
      body: said,
    });
  };
}

async function headersFor(what: string, { headers }: HttpTransportOptions): Promise<Headers> {
  let given: Readonly<Record<string, string>> | undefined;
  try {
    given = typeof headers === "function" ? await headers() : headers;
  } catch (cause) {
    throw new HttpError(`The headers for ${what} could not be made: ${describeError(cause)}`, { cause });
  }
  try {
    return new Headers(given ?? undefined);
  } catch {
    // The error of the runtime shows the value, which is a secret mostly.
    const name = Object.keys(given ?? {}).find((key) => !isSendable(key, given?.[key]));
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

/** What has gone wrong, of an error of `fetch`: that says only that something has, and the cause says what. */
function failureOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const reason = describeError(cause ?? error);
  // Each runtime has its own words for it.
  if (!/ECONNRESET|other side closed|reset by peer|broken pipe|closed unexpectedly|closed before/i.test(reason))
    return `did not reach the server: ${reason}`;
  return `had no answer: ${reason}; the connection was closed, and whether the server has taken it is not known`;
}

/** Browsers keep cookies themselves, if they are asked to. Edge workers refuse the question. */
function credentialsFor(url: URL, credentials: "omit" | "include"): { readonly credentials?: "omit" | "include" } {
  try {
    void new Request(url, { credentials });
    return { credentials };
  } catch {
    return {};
  }
}

/**
 * The beginning of what an answer says, which is nothing mostly. Read and not cancelled: a body that is cancelled costs its
 * connection, and the next request would have to make one.
 */
export async function beginningOf(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return "";
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  try {
    while (bytes < shownBytes) {
      const { done, value } = await reader.read();
      if (done) return text;
      bytes += value.byteLength;
      text += decoder.decode(value.subarray(0, value.byteLength - Math.max(0, bytes - shownBytes)), { stream: true });
    }
    reader.cancel().catch(() => {});
  } catch {
    // It is only to be shown: what has come so far will do.
  }
  return text;
}

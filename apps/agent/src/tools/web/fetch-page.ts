/** A page of the web, as text. */
export interface Page {
  /** Where it is in the end. */
  readonly url: string;
  readonly text: string;
  readonly isHtml: boolean;
  /** Whether its end is missing. */
  readonly isCut: boolean;
}

/** Another host, to which the page leads: the user has not allowed it yet. */
export interface Elsewhere {
  readonly redirect: string;
}

/** In milliseconds, for all of it. */
const timeout = 30_000;
/** In bytes. */
const maxSize = 2 * 1024 * 1024;
const maxRedirects = 5;
const redirects: readonly number[] = [301, 302, 303, 307, 308];

/**
 * Gets a page. It follows redirects to the same host alone: those to another host are for the user to allow.
 *
 * @throws {Error} there is no such page, it is no text, or it takes too long.
 * @throws the reason of the signal.
 */
export async function fetchPage(url: URL, signal: AbortSignal): Promise<Page | Elsewhere> {
  const late = AbortSignal.timeout(timeout);
  const headers = {
    accept: "text/markdown, text/html, text/plain, application/json, */*;q=0.5",
    "user-agent": "acp-agent",
  };
  let current = url;
  for (let count = 0; count <= maxRedirects; count++) {
    const response = await fetch(current, { redirect: "manual", headers, signal: AbortSignal.any([signal, late]) });
    const location = redirects.includes(response.status) ? response.headers.get("location") : null;
    if (location === null) return readPage(response, current.href);
    await response.body?.cancel();
    const next = new URL(location, current);
    if (!/^https?:$/u.test(next.protocol)) throw new Error(`it leads to ${next.href}`);
    if (next.host !== url.host) return { redirect: next.href };
    current = next;
  }
  throw new Error(`there are more than ${maxRedirects} redirects`);
}

async function readPage(response: Response, url: string): Promise<Page> {
  const { type, charset } = parseContentType(response.headers.get("content-type") ?? "text/plain");
  const isText = /^text\/|[/+](?:json|xml|yaml|javascript|x-yaml|toml|x-sh)$/u.test(type);
  if (!response.ok || !isText) {
    await response.body?.cancel();
    if (!response.ok) throw new Error(`the server answers ${response.status} ${response.statusText}`.trim());
    throw new Error(`it is ${type}, which cannot be shown as text`);
  }
  const { bytes, isCut } = await readBody(response);
  return { url, text: decode(bytes, charset), isHtml: /html/u.test(type), isCut };
}

async function readBody({ body }: Response): Promise<{ readonly bytes: Uint8Array; readonly isCut: boolean }> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop closes the connection.
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxSize) break;
  }
  return { bytes: Buffer.concat(chunks).subarray(0, maxSize), isCut: size > maxSize };
}

function parseContentType(value: string): { readonly type: string; readonly charset: string } {
  const [type = "", ...parameters] = value.toLowerCase().split(";");
  const charset = parameters.map((one) => /^\s*charset="?([^"\s]+)/u.exec(one)?.[1]).find((one) => one !== undefined);
  return { type: type.trim(), charset: charset ?? "utf-8" };
}

function decode(bytes: Uint8Array, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    // An encoding that nobody knows.
    return new TextDecoder().decode(bytes);
  }
}

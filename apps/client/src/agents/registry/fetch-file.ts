export interface FetchedFile {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
}

export interface FetchOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** How long it may take, in milliseconds. */
  readonly timeout: number;
  /** How large the file may be, in bytes. */
  readonly limit: number;
  readonly signal?: AbortSignal | undefined;
  /** Called with the size of what has come so far, and the whole size if the server says it. */
  readonly onProgress?: (received: number, whole: number | undefined) => void;
}

const redirects = 5;

export function isUrl(location: string): boolean {
  // On Windows, a path has one letter before its colon.
  return /^[a-z][a-z0-9+.-]+:/iu.test(location);
}

/**
 * Fetches a file over HTTPS, also where a redirect leads; over HTTP only from this machine itself.
 *
 * @throws if the server does not answer in time, answers with an error, or the file is too large.
 */
export async function fetchFile(url: string, options: FetchOptions): Promise<FetchedFile> {
  const { headers = {}, timeout, limit, onProgress = () => {} } = options;
  const patience = AbortSignal.timeout(timeout);
  const signal = options.signal === undefined ? patience : AbortSignal.any([patience, options.signal]);
  let place = requireSafe(new URL(url));
  for (let hops = 0; ; hops += 1) {
    const response = await fetch(place, { headers, redirect: "manual", signal });
    const location = response.headers.get("location");
    if (response.status >= 300 && response.status < 400 && location !== null) {
      await response.body?.cancel();
      if (hops === redirects) throw new Error(`${url} redirects too often`);
      place = requireSafe(new URL(location, place));
      continue;
    }
    if (!response.ok && response.status !== 304) {
      await response.body?.cancel();
      throw new Error(`${place} answers with ${response.status} ${response.statusText}`.trimEnd());
    }
    const bytes = await readBody(response, limit, onProgress);
    return { status: response.status, headers: response.headers, bytes };
  }
}

async function readBody(
  response: Response,
  limit: number,
  onProgress: (received: number, whole: number | undefined) => void,
): Promise<Uint8Array> {
  const whole = Number(response.headers.get("content-length") ?? Number.NaN);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > limit) throw new Error(`${response.url} is larger than ${Math.floor(limit / 2 ** 20)} MiB`);
    chunks.push(chunk);
    onProgress(size, Number.isNaN(whole) ? undefined : whole);
  }
  return Buffer.concat(chunks);
}

/** What is fetched is run: nobody on the way may change it. */
function requireSafe(url: URL): URL {
  const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
  if (url.protocol === "https:" || (url.protocol === "http:" && isLocal)) return url;
  throw new Error(`${url} is not fetched: it is no https URL`);
}

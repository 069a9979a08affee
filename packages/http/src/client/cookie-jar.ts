import { requireObject } from "@acp/core/internal";

/** Keeps cookies, such as those that lead a load balancer to the machine with a connection. */
export interface CookieJar {
  /** Stores the cookies of an answer from this URL. */
  store(url: URL, setCookies: readonly string[]): void;
  /** The `Cookie` header for a request to this URL; `undefined` if there is none. */
  header(url: URL): string | undefined;
}

/** A limit, so that a server cannot fill the memory. */
const mostCookies = 50;
/** As in browsers, in UTF-16 code units. */
const longestCookie = 4096;

interface Cookie {
  readonly pair: string;
  readonly isSecure: boolean;
  /** The paths it is for. */
  readonly path: string;
  /** The host that has set it: transports to several hosts may share a jar. */
  readonly host: string;
  /** In milliseconds since 1970. */
  readonly expires: number;
}

/**
 * Creates a jar for the cookies of several transports. Share one with the next transport to reach the same machine behind a
 * load balancer when you continue a session on a new connection.
 *
 * The jar respects name, path, `Secure`, `Max-Age` and `Expires`. It sends a cookie only to the host that set it, with any
 * `Domain`. It keeps at most 50 cookies of 4,096 characters.
 */
export function createCookieJar(): CookieJar {
  const cookies = new Map<string, Cookie>();
  return {
    store(url, setCookies) {
      requireObject(setCookies, "A cookie jar takes a list of Set-Cookie headers", Symbol.iterator);
      for (const text of setCookies) {
        const read = readCookie(url, text);
        if (read === undefined) continue;
        const [name, cookie] = read;
        const key = `${cookie.host} ${cookie.path} ${name}`;
        // Deleted first, so that the oldest is the one that was not set for the longest time.
        cookies.delete(key);
        if (cookie.expires > Date.now()) cookies.set(key, cookie);
        const [oldest] = cookies.keys();
        if (cookies.size > mostCookies && oldest !== undefined) cookies.delete(oldest);
      }
    },
    header(url) {
      const now = Date.now();
      const fitting = [...cookies.values()].filter((cookie) => cookie.expires > now && isFor(cookie, url));
      return fitting.length === 0 ? undefined : fitting.map(({ pair }) => pair).join("; ");
    },
  };
}

function readCookie(url: URL, text: string): [name: string, cookie: Cookie] | undefined {
  const [pair = "", ...attributes] = text.split(";").map((part) => part.trim());
  const equals = pair.indexOf("=");
  if (equals < 1 || text.length > longestCookie) return undefined;
  const values = new Map(
    attributes.map((attribute) => {
      const [name = "", ...value] = attribute.split("=");
      return [name.trim().toLowerCase(), value.join("=").trim()] as const;
    }),
  );
  const path = values.get("path") ?? "";
  return [
    pair.slice(0, equals),
    {
      pair,
      isSecure: values.has("secure"),
      path: path.startsWith("/") ? path : "/",
      host: url.host,
      expires: expiryOf(values.get("max-age"), values.get("expires")),
    },
  ];
}

/** `Max-Age` overrides `Expires`. Unreadable values are ignored. */
function expiryOf(maxAge: string | undefined, expires: string | undefined): number {
  if (maxAge !== undefined && /^-?\d+$/.test(maxAge)) return Date.now() + Number(maxAge) * 1000;
  const date = Date.parse(expires ?? "");
  return Number.isNaN(date) ? Infinity : date;
}

function isFor(cookie: Cookie, url: URL): boolean {
  if (cookie.host !== url.host || (cookie.isSecure && url.protocol !== "https:")) return false;
  const { path } = cookie;
  return url.pathname === path || url.pathname.startsWith(path.endsWith("/") ? path : `${path}/`);
}

/** Keeps the cookies of one server, such as those by which a load balancer finds the machine that has a connection. */
export interface CookieJar {
  /** Takes the cookies that an answer from this URL sets. */
  store(url: URL, setCookies: readonly string[]): void;
  /** The `Cookie` header for a request to this URL; `undefined` if there is none. */
  header(url: URL): string | undefined;
}

/** More cookies than a server sets, so that one that sets them without end fills no memory. */
const mostCookies = 50;
/** As in browsers, in UTF-16 code units. */
const longestCookie = 4096;

interface Cookie {
  readonly pair: string;
  readonly isSecure: boolean;
  /** The paths it is for. */
  readonly path: string;
  /** The host that has set it: a jar may be shared by transports to several. */
  readonly host: string;
  /** In milliseconds since 1970. */
  readonly expires: number;
}

/**
 * A jar for the cookies of a transport. Each has one of its own, unless you pass one: share it with the next transport to
 * find the same machine again behind a load balancer, when a session is taken up on a new connection.
 *
 * It goes by name, path, `Secure`, `Max-Age` and `Expires`. A cookie goes back to the host that has set it and to no other,
 * whatever its `Domain` says. At most 50 cookies of 4,096 characters are kept.
 */
export function createCookieJar(): CookieJar {
  const cookies = new Map<string, Cookie>();
  return {
    store(url, setCookies) {
      for (const text of setCookies) {
        const read = readCookie(url, text);
        if (read === undefined) continue;
        const [name, cookie] = read;
        const key = `${cookie.host} ${cookie.path} ${name}`;
        // Deleted first, so that the order is that of the last time each was set.
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
  const given = new Map(
    attributes.map((attribute) => {
      const [name = "", ...value] = attribute.split("=");
      return [name.trim().toLowerCase(), value.join("=").trim()] as const;
    }),
  );
  const path = given.get("path") ?? "";
  return [
    pair.slice(0, equals),
    {
      pair,
      isSecure: given.has("secure"),
      path: path.startsWith("/") ? path : "/",
      host: url.host,
      expires: expiryOf(given.get("max-age"), given.get("expires")),
    },
  ];
}

/** `Max-Age` goes before `Expires`. What cannot be read counts as not there. */
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

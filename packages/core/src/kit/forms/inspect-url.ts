/** What can be odd about a URL, for the user to know before it is opened (ELIC-25, ELIC-29). */
export type UrlWarningKind =
  /** It cannot be read as a URL; do not open it. */
  | "not-a-url"
  /** Its scheme is not one of the web: it may run something. */
  | "unusual-scheme"
  /** What goes there and back can be read and changed on the way. */
  | "not-https"
  /** A name or password before the host, which can also make one host look like another; or a secret among its parameters. */
  | "credentials"
  /** The host has characters beyond ASCII, which may look like others. */
  | "punycode"
  /** The host is a number, not a name. */
  | "ip-address"
  /** It is a host of this machine or of its network. */
  | "local-host"
  /** It names a port that is not the usual one of its scheme. */
  | "unusual-port"
  /** The host is longer than 64 characters or has more than 5 parts: its end, which says whose it is, is easily missed. */
  | "long-host"
  /** It has invisible characters, or characters that programs read in different ways. */
  | "odd-characters";

/** One odd thing about a URL. */
export interface UrlWarning {
  /** What is odd. */
  readonly kind: UrlWarningKind;
  /** A sentence for the user. */
  readonly message: string;
}

/** What to show of a URL. */
export interface UrlReport {
  /** The host as it is on the wire, with international names in Punycode, without the port; empty if there is none. */
  readonly host: string;
  /**
   * The URL as a browser reads it, cut into what stands before the host, the host to highlight, and what stands after it. A
   * text that cannot be read as a URL is in `before`, as it came.
   */
  readonly parts: { readonly before: string; readonly host: string; readonly after: string };
  /** Empty if there is nothing odd about it. */
  readonly warnings: readonly UrlWarning[];
}

const messages: Readonly<Record<UrlWarningKind, string>> = {
  "not-a-url": "This is no URL",
  "unusual-scheme": "This is no page of the web; opening it may start a program",
  "not-https": "The connection is not encrypted",
  credentials: "The URL holds a password or another secret",
  punycode: "The host has letters that may look like others",
  "ip-address": "The host is a number instead of a name",
  "local-host": "The host is on this machine or in its network",
  "unusual-port": "The URL names an unusual port",
  "long-host": "The host has many parts; the last ones say whose it is",
  "odd-characters": "The URL has invisible or unusual characters",
};

/** Names of parameters whose values give access. That of a `code` does not: a login page is handed one to show or check. */
const secretNames =
  /token$|secret$|passw(?:or)?d$|pwd$|credential$|signature$|(?:^|[-_])sig$|(?:^|access|auth|api|id|private|refresh|secret|session)[-_]?key$/iu;

/** Looks at a URL without opening it: what its host is, and what to warn the user of. Never throws. */
export function inspectUrl(text: string): UrlReport {
  const kinds = new Set<UrlWarningKind>();
  // Beyond ASCII they belong into Punycode and escapes; browsers drop some and read `\` as `/`.
  if (/[^\u0021-\u007E]|\\/u.test(text)) kinds.add("odd-characters");
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    kinds.add("not-a-url");
    return { host: "", parts: { before: text, host: "", after: "" }, warnings: warningsOf(kinds) };
  }
  const { protocol, hostname: host, username, password, port, href } = url;
  const isWeb = protocol === "https:" || protocol === "http:";
  if (!isWeb) kinds.add("unusual-scheme");
  if (protocol === "http:") kinds.add("not-https");
  if (username !== "" || password !== "") kinds.add("credentials");
  if (hasSecret(url.searchParams) || hasSecret(new URLSearchParams(url.hash.slice(1)))) kinds.add("credentials");
  if (host.split(".").some((label) => label.startsWith("xn--")) || /[^\u0021-\u007E]/u.test(host))
    kinds.add("punycode");
  if (isWeb && /^(?:\d+\.\d+\.\d+\.\d+|\[.*\])$/u.test(host)) kinds.add("ip-address");
  // Without a dot it is no name of the internet.
  if (isLocal(host) || (isWeb && /^[^.[\]]+\.?$/u.test(host))) kinds.add("local-host");
  if (isWeb && port !== "") kinds.add("unusual-port");
  if (host.length > 64 || host.split(".").length > 5) kinds.add("long-host");
  return { host, parts: split(href, host, username, password), warnings: warningsOf(kinds) };
}

function hasSecret(params: URLSearchParams): boolean {
  return [...params.keys()].some((name) => secretNames.test(name));
}

function isLocal(host: string): boolean {
  const [, high = "", low = ""] = mappedAddress.exec(host) ?? [];
  if (low !== "") return isLocalAddress(dotted(Number.parseInt(high, 16), Number.parseInt(low, 16)));
  return (
    /^(?:localhost|.*\.(?:localhost|local|lan|internal|home\.arpa))\.?$/u.test(host) ||
    /^\[(?:::1?|f[cd].*|fe[89ab].*)\]$/u.test(host) ||
    isLocalAddress(host)
  );
}

/** An IPv6 address whose last 32 bits are one of IPv4, as URLs write it: mapped, compatible, or through NAT64. */
const mappedAddress = /^\[(?:::|::ffff:|64:ff9b::)([\da-f]{1,4}):([\da-f]{1,4})\]$/u;

function dotted(high: number, low: number): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

function isLocalAddress(host: string): boolean {
  return /^(?:127|10|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01]))\.[\d.]+$/u.test(host) || host === "0.0.0.0";
}

/** Where the host is in a URL that was read and written again: behind the credentials, if it has some. */
function split(href: string, host: string, username: string, password: string): UrlReport["parts"] {
  const slashes = href.indexOf("//");
  if (host === "" || slashes < 0) return { before: href, host: "", after: "" };
  const credentials = username === "" && password === "" ? 0 : href.indexOf("@", slashes) - slashes - 1;
  const start = slashes + 2 + credentials;
  return {
    before: href.slice(0, start),
    host: href.slice(start, start + host.length),
    after: href.slice(start + host.length),
  };
}

function warningsOf(kinds: ReadonlySet<UrlWarningKind>): UrlWarning[] {
  return [...kinds].map((kind) => ({ kind, message: messages[kind] }));
}

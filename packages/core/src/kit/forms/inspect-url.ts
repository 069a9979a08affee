/** A message to the user for each kind of warning. */
const messages = {
  /** Not a valid URL; do not open it. */
  "not-a-url": "This is no URL",
  /** The scheme is not `http` or `https`. */
  "unusual-scheme": "This is no page of the web; opening it may start a program",
  "not-https": "The connection is not encrypted",
  /** A name or password before the host, which can disguise the host, or a secret among the parameters. */
  credentials: "The URL holds a password or another secret",
  /** The host has characters beyond ASCII. */
  punycode: "The host has letters that may look like others",
  "ip-address": "The host is a number instead of a name",
  "local-host": "The host is on this machine or in its network",
  "unusual-port": "The URL names an unusual port",
  /** The host is longer than 64 characters or has more than 5 parts. */
  "long-host": "The host has many parts; the last ones say whose it is",
  /** Invisible characters, or characters that programs interpret in different ways. */
  "odd-characters": "The URL has invisible or unusual characters",
} as const;

/** Kinds of warnings about a URL, to show before it is opened (ELIC-25, ELIC-29). */
export type UrlWarningKind = keyof typeof messages;

/** A warning about a URL. */
export interface UrlWarning {
  /** The kind of warning. */
  readonly kind: UrlWarningKind;
  /** A sentence for the user. */
  readonly message: string;
}

/** The parts of a URL to show, and warnings. */
export interface UrlReport {
  /** The host without the port, with international names in Punycode; empty if there is none. */
  readonly host: string;
  /**
   * The URL as a browser reads it, in three parts, so that you can highlight the host. If the text is not a valid URL,
   * it is in `before`, unchanged.
   */
  readonly parts: { readonly before: string; readonly host: string; readonly after: string };
  /** Warnings for the user. */
  readonly warnings: readonly UrlWarning[];
}

/** Names of parameters whose values grant access. A `code` does not: a login page gets one to show or to check. */
const secretNames =
  /token$|secret$|passw(?:or)?d$|pwd$|credential$|signature$|(?:^|[-_])sig$|(?:^|access|auth|api|id|private|refresh|secret|session)[-_]?key$/iu;

/** Inspects a URL without opening it: finds its host, and warnings for the user. Never throws. */
export function inspectUrl(text: string): UrlReport {
  const kinds = new Set<UrlWarningKind>();
  // A valid URL escapes characters beyond ASCII. Browsers drop some of them, and read `\` as `/`.
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
  // A name without a dot is local.
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

/** An IPv6 address that ends with one of IPv4, as URLs write it: mapped, compatible, or through NAT64. */
const mappedAddress = /^\[(?:::|::ffff:|64:ff9b::)([\da-f]{1,4}):([\da-f]{1,4})\]$/u;

function dotted(high: number, low: number): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

function isLocalAddress(host: string): boolean {
  return /^(?:127|10|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01]))\.[\d.]+$/u.test(host) || host === "0.0.0.0";
}

/** Splits a URL that was parsed and written again. Its host comes after the credentials, if there are any. */
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

type Environment = Readonly<Record<string, string | undefined>>;

/** Where programs find themselves, their user, their language, their terminal, and the certificates that they trust. */
const safe: ReadonlySet<string> = new Set(
  [
    "PATH HOME USER LOGNAME SHELL TERM COLORTERM NO_COLOR LANG LANGUAGE TZ TMPDIR TMP TEMP HOSTNAME PWD",
    "DISPLAY WAYLAND_DISPLAY XAUTHORITY XDG_RUNTIME_DIR XDG_SESSION_TYPE",
    "XDG_CONFIG_HOME XDG_CACHE_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_CONFIG_DIRS XDG_DATA_DIRS",
    "NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR NO_PROXY",
  ].flatMap((names) => names.split(" ")),
);

/** Those of Windows, where programs fail without some of them. */
const safeOnWindows: ReadonlySet<string> = new Set(
  [
    "SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT OS NUMBER_OF_PROCESSORS PROCESSOR_ARCHITECTURE",
    "USERNAME USERPROFILE USERDOMAIN HOMEDRIVE HOMEPATH COMPUTERNAME PUBLIC ALLUSERSPROFILE",
    "APPDATA LOCALAPPDATA PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86) PROGRAMW6432 COMMONPROGRAMFILES",
    "COMMONPROGRAMFILES(X86) COMMONPROGRAMW6432",
  ].flatMap((names) => names.split(" ")),
);

/** Safe unless the URL has a password. */
const proxies: ReadonlySet<string> = new Set(["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"]);

/** What marks processes as those of this agent, for its end. */
const marker = "ACP_PROCESS_GROUP";

/**
 * How the environment of an MCP server differs from that of the agent: it gets what every program needs and what the client
 * names for it, but no keys. `undefined` removes a variable.
 */
export function serverEnvironment(
  own: Readonly<Record<string, string>>,
  env: Environment = process.env,
  platform: string = process.platform,
): Environment {
  const removed = Object.entries(env).filter(([name, value]) => !isSafe(name, value ?? "", platform));
  return Object.fromEntries([...removed.map(([name]) => [name, undefined] as const), ...Object.entries(own)]);
}

function isSafe(name: string, value: string, platform: string): boolean {
  // A function that a shell exports.
  if (value.startsWith("()")) return false;
  const isWindows = platform === "win32";
  // Some programs read the names of proxies in lower case only.
  const upper = name.toUpperCase();
  if (proxies.has(upper)) return !value.includes("@");
  if (name === marker || name === "no_proxy" || name.startsWith("LC_")) return true;
  return isWindows ? safe.has(upper) || safeOnWindows.has(upper) : safe.has(name);
}

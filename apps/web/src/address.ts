/** What the fragment of the address says: it never reaches a server or its log. */
interface Fragment {
  readonly session: string | undefined;
  readonly agent: string | undefined;
}

const tokenKey = "acp-token";

/**
 * Takes the token out of the address, before anything else runs: into the storage of this tab, which a reload keeps, and which
 * ends with the tab.
 */
export function takeToken(): string {
  const params = fragment();
  const token = params.get("token");
  if (token !== null) {
    sessionStorage.setItem(tokenKey, token);
    params.delete("token");
    replace(params);
  }
  return readToken();
}

/** The token of this tab; empty if it has none. */
export function readToken(): string {
  return sessionStorage.getItem(tokenKey) ?? "";
}

/** What the page is about. */
export function readFragment(): Fragment {
  const params = fragment();
  return { session: params.get("session") ?? undefined, agent: params.get("agent") ?? undefined };
}

/** Notes the session, so that a reload comes back to it. */
export function noteSession(session: string | undefined): void {
  const params = fragment();
  if (session === undefined) params.delete("session");
  else params.set("session", session);
  replace(params);
}

function fragment(): URLSearchParams {
  return new URLSearchParams(location.hash.slice(1));
}

function replace(params: URLSearchParams): void {
  const text = params.toString();
  history.replaceState(null, "", `${location.pathname}${text === "" ? "" : `#${text}`}`);
}

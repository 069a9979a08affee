import type { HostContext } from "@acp/host";

/** A session as a connection hands it to the hosts, with a way to end it. */
export interface TestSession extends HostContext {
  close(): void;
}

export function testSession(cwd: string | undefined, additionalDirectories: readonly string[] = []): TestSession {
  const ending = new AbortController();
  return {
    session: { id: "session", cwd, additionalDirectories, signal: ending.signal },
    // Every request has one of its own.
    get signal() {
      return new AbortController().signal;
    },
    close: () => ending.abort(new Error("The session was closed")),
  };
}

import { once } from "node:events";
import type { AddressInfo } from "node:net";

/** A web page on this machine that notices when somebody opens it. */
export interface Page {
  readonly url: string;
  /** Resolves with `true` when somebody opens the page, with `false` when the signal aborts first. */
  waitForVisit(signal: AbortSignal): Promise<boolean>;
  close(): void;
}

/** Serves a text at a URL that nobody can guess. */
export async function servePage(text: string): Promise<Page> {
  const path = `/${crypto.randomUUID()}`;
  let markVisited = (): void => {};
  const visit = new Promise<true>((resolve) => (markVisited = () => resolve(true)));
  // Not with the program: that would be a fifth of its start.
  const { createServer } = await import("node:http");
  const server = createServer((request, response) => {
    const isPage = request.url === path;
    response.writeHead(isPage ? 200 : 404, { "content-type": "text/plain; charset=utf-8", connection: "close" });
    response.end(isPage ? `${text}\n` : "", () => {
      if (isPage) markVisited();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${path}`,
    waitForVisit: (signal) =>
      Promise.race([
        visit,
        new Promise<false>((resolve) => {
          if (signal.aborted) resolve(false);
          signal.addEventListener("abort", () => resolve(false), { once: true });
        }),
      ]),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

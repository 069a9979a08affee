// A server for a folder of files, as any host of static files is.
import { existsSync, readFileSync, statSync } from "node:fs";
import { extname, join } from "node:path";

import { listen, type Listener } from "../../support/http/listen.ts";

const types: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".md": "text/markdown; charset=utf-8",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
};

/** Serves the files of a folder at `origin`. */
export async function serveFolder(folder: string): Promise<Listener & { readonly origin: string }> {
  const listener = await listen(({ url = "/" }, response) => {
    const { pathname } = new URL(url, "http://localhost");
    const path = join(folder, decodeURIComponent(pathname).replace(/\/$/u, "/index.html"));
    if (!path.startsWith(folder) || !existsSync(path) || !statSync(path).isFile()) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "content-type": types[extname(path)] ?? "application/octet-stream" });
    response.end(readFileSync(path));
  });
  return { ...listener, origin: new URL(listener.url).origin };
}

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";

const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** The page gets nothing from elsewhere, runs no code but its own file, and makes no HTML of texts. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const security = {
  "Content-Security-Policy": policy,
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};

interface PageFile {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
  readonly etag: string;
}

let known: ReadonlyMap<string, PageFile> | undefined;

/** The files of the page by their path, from memory once they are read: none if this program was built without them. */
function readPage(folder = fileURLToPath(new URL("web", import.meta.url))): ReadonlyMap<string, PageFile> {
  const files = new Map<string, PageFile>();
  for (const name of listFiles(folder)) {
    const type = types[extname(name)];
    if (type === undefined) continue;
    const body = new Uint8Array(readFileSync(join(folder, name)));
    const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
    const headers = { ...security, "Content-Type": type, ETag: etag, "Cache-Control": "no-cache" };
    files.set(name === "index.html" ? "/" : `/${name}`, { body, headers, etag });
  }
  return files;
}

function listFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Answers with a file of the page, which has no secrets: everybody may read it. `undefined` if there is none at this path. */
export function answerWithPage({ method, headers: asked }: Request, pathname: string): Response | undefined {
  if (method !== "GET" && method !== "HEAD") return undefined;
  known ??= readPage();
  const file = known.get(pathname);
  if (file === undefined) return undefined;
  const { body, headers, etag } = file;
  const isKnown = asked.get("If-None-Match")?.includes(etag) === true;
  return new Response(isKnown || method === "HEAD" ? null : body, { status: isKnown ? 304 : 200, headers });
}

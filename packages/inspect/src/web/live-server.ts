import { randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

import type { TapSettings } from "../command-line.ts";
import type { InspectedMessage } from "../inspected.ts";
import { createRedaction } from "../log/redaction.ts";
import { KeptCalls } from "./resend/kept-calls.ts";
import { answerResend } from "./resend/answer-resend.ts";
import { TraceEntries } from "./trace-entries.ts";
import { viewerWith } from "./viewer.ts";

/** How many messages a page can get that opens later. */
const mostKept = 100_000;
/** How much of them, in UTF-16 code units. */
const mostUnits = 128 * 1024 * 1024;
/** How much may wait for a page that does not read, in bytes. */
const mostWaiting = 64 * 1024 * 1024;

/** Serves a page that shows messages as they pass. */
export interface LiveServer {
  /** The address of the page, with the token that it needs. */
  readonly url: string;
  /** Sends a message to the pages that are open. */
  add(message: InspectedMessage, whole: unknown): void;
  /** Nothing more will come. Resolves when pages have what came, after a second at the latest. */
  close(): Promise<void>;
}

/** Starts to serve on this machine only, on a port that is free. Only who has the token gets messages. */
export async function startLiveServer(settings: TapSettings, title: string): Promise<LiveServer> {
  const { withSecrets } = settings;
  const kept = new KeptCalls();
  const command = createRedaction(withSecrets).message(commandOf(settings));
  const closed = new AbortController();
  const token = randomBytes(24).toString("base64url");
  const about = JSON.stringify({ title, withSecrets }).replaceAll("<", "\\u003c");
  const data = `<script type="text/plain" id="live">${about}</script>`;
  const page = await viewerWith({ data, title, isLive: true });
  const ring = new Ring();
  const entries = new TraceEntries({ withSecrets });
  const readers = new Set<ServerResponse>();
  let port = 0;
  const server = createServer((request, response) => {
    response.setHeader("Cache-Control", "no-store");
    response.setHeader("X-Content-Type-Options", "nosniff");
    // A page of another site that was given this address by its name server.
    if (![`127.0.0.1:${port}`, `localhost:${port}`].includes(request.headers.host ?? "")) return refuse(response, 403);
    if (request.url === "/send" && request.method === "POST") {
      if (!hasToken(request, token) || !isOwn(request, port)) return refuse(response, 401);
      return void answerResend(request, response, { settings, kept, closed: closed.signal });
    }
    if (request.method !== "GET") return refuse(response, 405);
    if (request.url === "/") {
      response.setHeader("Content-Type", "text/html; charset=utf-8");
      response.setHeader("Content-Security-Policy", "frame-ancestors 'none'");
      response.setHeader("Referrer-Policy", "no-referrer");
      return void response.end(page);
    }
    if (request.url !== "/trace") return refuse(response, 404);
    if (!hasToken(request, token)) return refuse(response, 401);
    response.setHeader("Content-Type", "application/x-ndjson");
    response.write(`${JSON.stringify({ dropped: ring.dropped, command })}\n`);
    for (const line of ring.lines) response.write(line);
    readers.add(response);
    response.once("close", () => readers.delete(response));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  port = typeof address === "object" && address !== null ? address.port : 0;
  // The messages decide how long the program runs.
  server.unref();
  return {
    url: `http://127.0.0.1:${port}/#${new URLSearchParams({ token }).toString()}`,
    add(message, whole) {
      kept.take(message.from, whole);
      const line = `${JSON.stringify(entries.add(message, whole))}\n`;
      ring.add(line);
      for (const reader of readers) {
        if (reader.writableLength > mostWaiting) reader.destroy();
        else reader.write(line);
      }
    },
    async close() {
      closed.abort();
      const ended = [...readers].map(
        (reader) => new Promise<void>((resolve) => reader.end('{"ended":true}\n', resolve)),
      );
      await Promise.race([Promise.all(ended), new Promise((resolve) => setTimeout(resolve, 1_000))]);
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The last messages. */
class Ring {
  dropped = 0;
  lines: string[] = [];
  #units = 0;

  add(line: string): void {
    this.lines.push(line);
    this.#units += line.length;
    if (this.lines.length <= mostKept && this.#units <= mostUnits) return;
    // A tenth at a time: removing the first one of a list moves all others.
    const gone = this.lines.splice(0, Math.max(1, Math.ceil(this.lines.length / 10)));
    this.dropped += gone.length;
    for (const { length } of gone) this.#units -= length;
  }
}

/** The command of the agent, as words; for a server its URL. */
function commandOf({ agent }: TapSettings): readonly string[] {
  return "command" in agent ? [agent.command, ...agent.args] : [agent.url];
}

/** Whether it comes from this page, or from no page. */
function isOwn({ headers: { origin } }: IncomingMessage, port: number): boolean {
  return origin === undefined || [`http://127.0.0.1:${port}`, `http://localhost:${port}`].includes(origin);
}

function hasToken({ headers }: IncomingMessage, token: string): boolean {
  const given = Buffer.from(headers.authorization ?? "");
  const wanted = Buffer.from(`Bearer ${token}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

function refuse(response: ServerResponse, status: number): void {
  response.statusCode = status;
  response.end();
}

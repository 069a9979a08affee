import type { IncomingMessage, ServerResponse } from "node:http";

import type { TapSettings } from "../../command-line.ts";
import { TraceEntries } from "../trace-entries.ts";
import type { KeptCalls } from "./kept-calls.ts";
import { readResend, resend } from "./resend.ts";

/** How long a message may be that a page sends, in bytes. */
const largest = 16 * 1024 * 1024;
/** How much may wait for a page, in bytes. */
const mostWaiting = 64 * 1024 * 1024;
/** How many agents may run for pages at a time. */
const most = 4;
let running = 0;

/** Sends the message that a page asks for to a fresh agent, and writes all messages between the two to the page. */
export async function answerResend(
  request: IncomingMessage,
  response: ServerResponse,
  about: { readonly settings: TapSettings; readonly kept: KeptCalls; readonly closed: AbortSignal },
): Promise<void> {
  const fail = (status: number): void => void response.writeHead(status).end();
  const text = await bodyOf(request).catch(() => undefined);
  if (text === undefined) return fail(413);
  const wanted = readResend(text);
  if (wanted === undefined) return fail(400);
  if (running >= most) return fail(429);
  running++;
  try {
    const stop = new AbortController();
    response.once("close", () => stop.abort());
    const { withSecrets } = about.settings;
    const entries = new TraceEntries({ withSecrets });
    response.setHeader("Content-Type", "application/x-ndjson");
    response.flushHeaders();
    const signal = AbortSignal.any([stop.signal, about.closed]);
    const end = await resend(
      wanted,
      about,
      (inspected, message) => {
        // A page that does not read gets no more, and its agent ends.
        if (response.writableLength > mostWaiting) stop.abort();
        else response.write(`${JSON.stringify(entries.add(inspected, message))}\n`);
      },
      signal,
    );
    response.end(`${JSON.stringify({ end })}\n`);
  } finally {
    running--;
  }
}

/** @throws if it is too long. */
async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > largest) throw new RangeError("The message is too long");
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

import { type EventEmitter, once } from "node:events";

/** The part of a response of `node:http` that is used, or of `node:http2`, which behaves alike. */
export interface ResponseLike extends EventEmitter {
  statusCode: number;
  setHeader(name: string, value: string | number | string[]): unknown;
  /** That of `node:http2` has it, too, but not in its types. */
  flushHeaders?(): void;
  write(chunk: Uint8Array): boolean;
  end(): unknown;
  destroy(): unknown;
  /** 2 and more know no header `Connection`. */
  readonly req: { readonly httpVersionMajor: number };
}

/**
 * Sends an answer of the web, no faster than the client reads it, until `gone` aborts. Never rejects: nobody would handle
 * that. An answer with `Connection: close` ends after `rest`, since Node.js closes the socket with it: a client that is still
 * sending would lose the answer.
 */
export async function sendResponse(
  response: ResponseLike,
  answer: Response,
  gone: AbortSignal,
  rest?: () => Promise<void>,
): Promise<void> {
  const isLast = answer.headers.get("connection") === "close";
  const reader = answer.body?.getReader();
  const cancel = (): void => {
    reader?.cancel().catch(() => {});
  };
  // It may have gone before there was an answer.
  if (gone.aborted) return cancel();
  gone.addEventListener("abort", cancel);
  // If the body fails while the client is slow, there is nothing to wait for.
  reader?.closed.catch(() => response.destroy());
  try {
    response.statusCode = answer.status;
    for (const [name, value] of answer.headers) {
      if (name === "set-cookie" || (name === "connection" && response.req.httpVersionMajor > 1)) continue;
      response.setHeader(name, value);
    }
    const cookies = answer.headers.getSetCookie();
    if (cookies.length > 0) response.setHeader("set-cookie", cookies);
    // The client has to know of a stream before anything is on it.
    if (reader !== undefined) response.flushHeaders?.();
    // Without it, Node.js would send an empty body in chunks; a status without a body has no length.
    else if (!answer.headers.has("content-length") && ![204, 304].includes(answer.status))
      response.setHeader("content-length", 0);
    for (;;) {
      const read = await reader?.read();
      if (read === undefined || read.done || gone.aborted) break;
      if (!response.write(read.value)) await drained(response);
    }
    if (isLast) await rest?.();
    response.end();
  } catch {
    cancel();
    response.destroy();
  } finally {
    gone.removeEventListener("abort", cancel);
  }
}

/** Waits until there is room, or the client has gone. */
async function drained(response: ResponseLike): Promise<void> {
  const done = new AbortController();
  try {
    await Promise.race([once(response, "drain", done), once(response, "close", done)]);
  } finally {
    done.abort();
  }
}

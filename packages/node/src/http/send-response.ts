import { type EventEmitter, once } from "node:events";

/** What is needed of a response of `node:http`, or of that of `node:http2` which behaves like it. */
export interface ResponseLike extends EventEmitter {
  statusCode: number;
  setHeader(name: string, value: string | number | string[]): unknown;
  /** That of `node:http2` has it, too, but not in its types. */
  flushHeaders?(): void;
  write(chunk: Uint8Array): boolean;
  end(): unknown;
  destroy(): unknown;
}

/**
 * Sends an answer of the web, no faster than the client takes it, until `gone` aborts. Never rejects: there is nobody else to
 * tell.
 */
export async function sendResponse(response: ResponseLike, answer: Response, gone: AbortSignal): Promise<void> {
  const reader = answer.body?.getReader();
  const cancel = (): void => {
    reader?.cancel().catch(() => {});
  };
  // It may have gone before there was an answer.
  if (gone.aborted) return cancel();
  gone.addEventListener("abort", cancel);
  // The body may fail while the client does not take what it has: then there is nothing to wait for.
  reader?.closed.catch(() => response.destroy());
  try {
    response.statusCode = answer.status;
    for (const [name, value] of answer.headers) if (name !== "set-cookie") response.setHeader(name, value);
    const cookies = answer.headers.getSetCookie();
    if (cookies.length > 0) response.setHeader("set-cookie", cookies);
    // The client has to know of a stream before there is anything on it.
    if (reader !== undefined) response.flushHeaders?.();
    // Without it, Node.js would send an empty body in chunks; where there is none by its status, nothing has a length.
    else if (!answer.headers.has("content-length") && ![204, 304].includes(answer.status))
      response.setHeader("content-length", 0);
    for (;;) {
      const read = await reader?.read();
      if (read === undefined || read.done || gone.aborted) break;
      if (!response.write(read.value)) await drained(response);
    }
    response.end();
  } catch {
    cancel();
    response.destroy();
  } finally {
    gone.removeEventListener("abort", cancel);
  }
}

/** Waits until there is room, or nobody to have room for. */
async function drained(response: ResponseLike): Promise<void> {
  const done = new AbortController();
  try {
    await Promise.race([once(response, "drain", done), once(response, "close", done)]);
  } finally {
    done.abort();
  }
}

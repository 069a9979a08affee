import { HttpError } from "../http-error.ts";
import { readText } from "../read-body.ts";
import { jsonType } from "../wire-names.ts";
import type { Requester } from "./requester.ts";

/** How often the answer is asked for, if the network breaks in the middle of it. */
const mostAttempts = 3;

/** The answer to `initialize`. */
export interface InitialAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/**
 * Posts `initialize`. It is sent again if the network breaks: a connection that a server has opened without telling its id is
 * idle, and ends. `onHeaders` is called before the body is read.
 *
 * @throws {HttpError} if there is no answer, or one over the limit.
 */
export async function postInitialize(
  request: Requester,
  body: string,
  limit: number,
  signal: AbortSignal,
  onHeaders: (headers: Headers) => void,
): Promise<InitialAnswer> {
  const contentHeaders = { "Content-Type": jsonType, Accept: jsonType };
  const parts = { method: "POST", headers: contentHeaders, body, signal, isRepeatable: true } as const;
  for (let attempt = 1; ; attempt++) {
    const { headers, status, body: answer } = await request("initialize", parts);
    onHeaders(headers);
    let text: string | undefined;
    try {
      text = await readText(answer, limit);
    } catch (error) {
      if (attempt === mostAttempts || signal.aborted) throw error;
      continue;
    }
    // Without the answer, the negotiated version is unknown.
    if (text === undefined)
      throw new HttpError(`The answer to initialize is larger than ${limit} bytes (maxMessageBytes)`, { status });
    return { status, headers, text };
  }
}

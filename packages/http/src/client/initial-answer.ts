import { HttpError } from "../http-error.ts";

/**
 * Reads the body of the answer to `initialize`, the only message that comes by no stream.
 *
 * @throws {HttpError} if it is larger than any message may be. Then it cannot be known what was agreed on.
 */
export async function readInitialAnswer(response: Response, limit: number): Promise<string> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let bytes = 0;
  for (;;) {
    const read = await reader?.read();
    if (read === undefined || read.done) return parts.join("") + decoder.decode();
    bytes += read.value.byteLength;
    parts.push(decoder.decode(read.value, { stream: true }));
    if (bytes <= limit) continue;
    reader?.cancel().catch(() => {});
    throw new HttpError(`The answer to initialize is larger than ${limit} bytes (maxMessageBytes)`, {
      status: response.status,
    });
  }
}

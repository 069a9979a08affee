import { refusal } from "./answers.ts";

/** Reads the body of a request as text, no more of it than the limit; or says why it cannot be taken. */
export async function readBody(request: Request, limit: number): Promise<string | Response> {
  const tooLarge = (): Response => refusal(413, `The message is larger than ${limit} bytes (maxMessageBytes)`);
  if (Number(request.headers.get("Content-Length") ?? 0) > limit) {
    request.body?.cancel().catch(() => {});
    return tooLarge();
  }
  const reader = request.body?.getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const parts: string[] = [];
  let bytes = 0;
  try {
    for (;;) {
      const read = await reader?.read();
      if (read === undefined || read.done) return parts.join("") + decoder.decode();
      bytes += read.value.byteLength;
      if (bytes > limit) {
        reader?.cancel().catch(() => {});
        return tooLarge();
      }
      parts.push(decoder.decode(read.value, { stream: true }));
    }
  } catch {
    reader?.cancel().catch(() => {});
    return refusal(400, "The body is not UTF-8, or was broken off");
  }
}

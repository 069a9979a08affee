/** The chunks of a body. Leaving the loop early cancels the rest, and so does the signal. */
export async function* chunksOf(
  body: ReadableStream<Uint8Array> | null,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  const reader = body?.getReader();
  if (reader === undefined) return;
  const cancel = (): void => void reader.cancel().catch(() => {});
  signal?.addEventListener("abort", cancel);
  if (signal?.aborted) cancel();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    signal?.removeEventListener("abort", cancel);
    cancel();
  }
}

/** Reads a whole body as text; `undefined` if it has more bytes than the limit. */
export async function readText(
  body: ReadableStream<Uint8Array> | null,
  limit: number,
  decoder: TextDecoder = new TextDecoder(),
): Promise<string | undefined> {
  const parts: string[] = [];
  let bytes = 0;
  for await (const chunk of chunksOf(body)) {
    bytes += chunk.byteLength;
    if (bytes > limit) return undefined;
    parts.push(decoder.decode(chunk, { stream: true }));
  }
  return parts.join("") + decoder.decode();
}

/** The data of each event in a stream of server-sent events, as it comes. Whoever ends early cancels the stream. */
export async function* eventsOf(body: ReadableStream<BufferSource>): AsyncGenerator<string> {
  let data: string[] = [];
  for await (const line of linesOf(body)) {
    if (line.startsWith("data:")) data.push(line.slice(line[5] === " " ? 6 : 5));
    if (line !== "" || data.length === 0) continue;
    yield data.join("\n");
    data = [];
  }
}

/** Lines, each of which ends in CR, LF or both; what is behind the last one is none. */
async function* linesOf(body: ReadableStream<BufferSource>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  /** Of a line whose end has not come: put together once, so that a long line costs no more than its length. */
  let parts: string[] = [];
  let isBehindReturn = false;
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      const text = isBehindReturn && read.value.startsWith("\n") ? read.value.slice(1) : read.value;
      isBehindReturn = read.value.endsWith("\r");
      const lines = text.split(/\r\n|\n|\r/);
      const rest = lines.pop() ?? "";
      for (const line of lines) {
        yield parts.join("") + line;
        parts = [];
      }
      parts.push(rest);
    }
  } finally {
    await reader.cancel().catch(() => {
      // It is over in any case.
    });
  }
}

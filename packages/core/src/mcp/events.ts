/** The data of each event in a stream of server-sent events, as it comes. Whatever ends early cancels the stream. */
export async function* eventsOf(body: ReadableStream<BufferSource>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  let data: string[] = [];
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const lines = (rest + part.value).split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? "";
      for (const line of lines) {
        if (line !== "") {
          if (line.startsWith("data:")) data.push(line.slice(line[5] === " " ? 6 : 5));
          continue;
        }
        if (data.length > 0) yield data.join("\n");
        data = [];
      }
    }
  } finally {
    await reader.cancel().catch(() => {
      // It is over in any case.
    });
  }
}

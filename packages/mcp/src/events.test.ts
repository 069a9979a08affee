import { expect, test } from "vitest";

import { eventsOf } from "./events.ts";

const never = new AbortController().signal;

function streamOf(bytes: Uint8Array, size: number): ReadableStream<Uint8Array> {
  let from = 0;
  return new ReadableStream({
    pull(controller) {
      if (from >= bytes.length) return controller.close();
      controller.enqueue(new Uint8Array(bytes.slice(from, from + size)));
      from += size;
    },
  });
}

async function read(text: string, size: number): Promise<string[]> {
  const all: string[] = [];
  for await (const data of eventsOf(streamOf(new TextEncoder().encode(text), size), never)) all.push(data);
  return all;
}

test("eventsOf() reads data, and skips comments, names, ids and unterminated events", async () => {
  const text = ': hello\n\nevent: message\nid: 7\ndata: {"a":1}\n\ndata:no space\ndata:  two\n\ndata\n\ndata: lost';
  const data = ['{"a":1}', "no space\n two"];
  expect(await read(text, 1_000)).toEqual(data);
  expect(await read(text, 1)).toEqual(data);
});

test("eventsOf() cancels the stream when its reader has enough", async () => {
  let isCancelled = false;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode("data: 1\n\n")),
    cancel: () => void (isCancelled = true),
  });
  for await (const data of eventsOf(endless, never)) {
    expect(data).toBe("1");
    break;
  }
  expect(isCancelled).toBe(true);
});

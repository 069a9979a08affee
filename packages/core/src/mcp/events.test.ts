import fc from "fast-check";
import { expect, test } from "vitest";

import { eventsOf } from "./events.ts";

function streamOf(bytes: Uint8Array, size: number): ReadableStream<Uint8Array<ArrayBuffer>> {
  let from = 0;
  return new ReadableStream({
    pull(controller) {
      if (from >= bytes.length) return controller.close();
      controller.enqueue(new Uint8Array(bytes.slice(from, from + size)));
      from += size;
    },
  });
}

async function read(text: string, size = 1_000_000): Promise<string[]> {
  const all: string[] = [];
  for await (const data of eventsOf(streamOf(new TextEncoder().encode(text), size))) all.push(data);
  return all;
}

test("eventsOf() reads data, and leaves out comments, names, ids and what has no end", async () => {
  const text = ': hello\n\nevent: message\nid: 7\ndata: {"a":1}\n\ndata:no space\ndata:  two\n\ndata\n\ndata: lost';
  expect(await read(text)).toEqual(['{"a":1}', "no space\n two"]);
});

test("eventsOf() reads the same whatever the ends of lines and wherever it was cut", async () => {
  const line = fc.string({ unit: fc.constantFrom("a", "ü", "漢", "😀", " ", ":", "{") });
  const events = fc.array(fc.array(line, { minLength: 1, maxLength: 3 }), { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(
      events,
      fc.constantFrom("\n", "\r\n", "\r"),
      fc.integer({ min: 1, max: 9 }),
      async (all, end, size) => {
        const text = all.map((lines) => lines.map((one) => `data: ${one}${end}`).join("") + end).join("");
        expect(await read(text, size)).toEqual(all.map((lines) => lines.join("\n")));
      },
    ),
  );
});

test("eventsOf() cancels the stream when its reader has enough", async () => {
  let isCancelled = false;
  const endless = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode("data: 1\n\n")),
    cancel: () => void (isCancelled = true),
  });
  for await (const data of eventsOf(endless)) {
    expect(data).toBe("1");
    break;
  }
  expect(isCancelled).toBe(true);
});

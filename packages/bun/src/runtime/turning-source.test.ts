import { expect, test } from "vitest";

import { turningSource } from "./turning-source.ts";

const mebi = 1024 * 1024;

/** A stream that hands over everything at once. */
function oneChunk(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(bytes);
      controller.close();
    },
  });
}

test("other tasks have their turns while a chunk of many megabytes is passed on, and all of it arrives", async () => {
  const bytes = Uint8Array.from({ length: 32 * mebi }, (_, index) => index % 251);
  const got: Uint8Array[] = [];
  let sinceTimer = 0;
  let mostSinceTimer = 0;
  const timer = setInterval(() => (sinceTimer = 0), 0);
  await new Promise<void>((end) => {
    turningSource(oneChunk(bytes)).start({
      data(chunk) {
        got.push(chunk);
        sinceTimer += chunk.length;
        mostSinceTimer = Math.max(mostSinceTimer, sinceTimer);
      },
      end,
    });
  });
  clearInterval(timer);
  expect(Buffer.compare(Buffer.concat(got), bytes)).toBe(0);
  expect(mostSinceTimer).toBeLessThan(16 * mebi);
});

test("nothing is passed on once it is cancelled, also of a chunk that has come already", async () => {
  const source = turningSource(oneChunk(new Uint8Array(4 * mebi)));
  let size = 0;
  await new Promise<void>((end) => {
    source.start({
      data(chunk) {
        size += chunk.length;
        void source.cancel();
      },
      end,
    });
  });
  expect(size).toBeLessThan(mebi);
});

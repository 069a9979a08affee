import { expect, test } from "vitest";

import { EventStreamParser } from "../event-stream-parser.ts";
import { OutgoingStream, type OutgoingStreamHost } from "./outgoing-stream.ts";

/** Reads events as a client does, up to a number of them. */
async function read(body: ReadableStream<Uint8Array> | string, count: number): Promise<string[]> {
  const events: string[] = [];
  if (typeof body === "string") return [body];
  const parser = new EventStreamParser(1_000, {
    data: (text, id) => events.push(`${id} ${text}`),
    tooLarge: () => {},
  });
  const reader = body.getReader();
  while (events.length < count) {
    const { done, value } = await reader.read();
    if (done) break;
    parser.push(value);
  }
  await reader.cancel();
  return events;
}

function createHost(maxJournal = 1_000_000): OutgoingStreamHost & { readonly kept: number } {
  let kept = 0;
  return {
    maxJournal,
    taken: () => {},
    keep: (cost) => {
      kept += cost;
      return true;
    },
    dropped: (cost) => (kept -= cost),
    released: () => {},
    get kept() {
      return kept;
    },
  };
}

test("a stream that breaks continues after the last event that the client has", async () => {
  const host = createHost();
  const stream = new OutgoingStream(host);
  for (const text of ["a", "b", "c"]) stream.push(text);
  expect(await read(stream.open({ stream: 4, event: 0 }), 3)).toEqual(["4-1 a", "4-2 b", "4-3 c"]);
  stream.push("d");
  expect(await read(stream.open({ stream: 4, event: 1 }), 3)).toEqual(["4-2 b", "4-3 c", "4-4 d"]);
  expect(stream.isIdle).toBe(false);
  stream.acknowledge(3);
  expect(await read(stream.open({ stream: 4, event: 2 }), 1)).toEqual(["dropped"]);
  expect(await read(stream.open({ stream: 4, event: 3 }), 1)).toEqual(["4-4 d"]);
  stream.acknowledge(4);
  expect([stream.isIdle, host.kept]).toEqual([true, 0]);
});

test("a client takes its stream over, and nobody else does", async () => {
  const stream = new OutgoingStream(createHost());
  const before = stream.open({ stream: 2, event: 0 });
  expect(stream.open(undefined)).toBe("busy");
  expect(stream.open({ stream: 1, event: 0 })).toBe("busy");
  const reading = read(before, 1);
  await Promise.resolve();
  const now = stream.open({ stream: 2, event: 0 });
  stream.push("a");
  expect(await reading).toEqual([]);
  expect(await read(now, 1)).toEqual(["2-1 a"]);
});

test("the stream of a reopened session starts without earlier messages", async () => {
  const host = createHost();
  const stream = new OutgoingStream(host);
  stream.push("old");
  await read(stream.open({ stream: 2, event: 0 }), 1);
  stream.push("new");
  expect(await read(stream.open({ stream: 3, event: 0 }), 1)).toEqual(["3-1 new"]);
  stream.acknowledge(1);
  expect(host.kept).toBe(0);
});

test("a stream that was forgotten continues with the number of its client", async () => {
  const stream = new OutgoingStream(createHost());
  stream.push("a");
  expect(await read(stream.open({ stream: 2, event: 7 }), 1)).toEqual(["2-8 a"]);
});

test("a full journal waits for the client", async () => {
  const stream = new OutgoingStream(createHost(600));
  for (const text of ["a", "b", "c"]) stream.push(text);
  const body = stream.open({ stream: 1, event: 0 });
  const reading = read(body, 3);
  // Three do not fit.
  await read(new ReadableStream({ start: (controller) => controller.close() }), 1);
  expect(stream.isIdle).toBe(false);
  stream.acknowledge(2);
  expect(await reading).toEqual(["1-1 a", "1-2 b", "1-3 c"]);
});

test("a stream without room in the journals of the server continues, and can only be resumed without a gap", async () => {
  const stream = new OutgoingStream({ ...createHost(), keep: () => false });
  for (const text of ["a", "b"]) stream.push(text);
  expect(await read(stream.open({ stream: 1, event: 0 }), 2)).toEqual(["1-1 a", "1-2 b"]);
  expect(stream.isIdle).toBe(false);
  expect(stream.open({ stream: 1, event: 1 })).toBe("dropped");
  stream.push("c");
  expect(await read(stream.open({ stream: 1, event: 2 }), 1)).toEqual(["1-3 c"]);
});

test("an outgoing stream carries messages of several lines, as a proxy may pass them on", async () => {
  const stream = new OutgoingStream(createHost());
  const messages = [{ text: "a\r\nb" }, { deep: { deeper: [1, 2] } }, {}];
  stream.push(JSON.stringify(messages[0], null, 2));
  stream.push(JSON.stringify(messages[1], null, "\t").replaceAll("\n", "\r\n"));
  stream.push(JSON.stringify(messages[2]));
  const body = stream.open(undefined);
  stream.finish();
  const parsed: unknown[] = [];
  const parser = new EventStreamParser(1_000, { data: (text) => parsed.push(JSON.parse(text)), tooLarge: () => {} });
  parser.push(new Uint8Array(await new Response(body).arrayBuffer()));
  expect(parsed).toEqual(messages);
});

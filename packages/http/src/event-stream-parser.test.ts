import { expect, test } from "vitest";

import { EventStreamParser } from "./event-stream-parser.ts";

interface Parsed {
  readonly data: string[];
  readonly ids: (string | undefined)[];
  readonly tooLarge: [units: number, head: string, tail: string][];
  readonly isWithinEvent: boolean;
}

function parse(chunks: readonly Uint8Array[], limit = 1_000_000): Parsed {
  const data: string[] = [];
  const ids: Parsed["ids"] = [];
  const tooLarge: Parsed["tooLarge"] = [];
  const parser = new EventStreamParser(limit, {
    data: (text, id) => {
      data.push(text);
      ids.push(id);
    },
    tooLarge: (units, head, tail, id) => {
      tooLarge.push([units, head, tail]);
      ids.push(id);
    },
  });
  for (const chunk of chunks) parser.push(chunk);
  return { data, ids, tooLarge, isWithinEvent: parser.isWithinEvent };
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test("EventStreamParser reads data, comments, other fields and lines of every kind, however the bytes are cut", () => {
  const stream = bytes(
    "\uFEFF: hello\n\ndata: one\n\ndata:two\r\n\r\nevent: message\rid: 7\rdata: three\rdata:  and more\rdata\r\r" +
      ':\n\ndatabase: no\ndata:\n\n\n\ndata: é€😀\ndata: {}\n\nretry: 10\n\ndata: {"a":\r\ndata:1}\r\n\r\ndat',
  );
  const expected = ["one", "two", "three\n and more\n", "é€😀\n{}", '{"a":\n1}'];
  const ids = [undefined, undefined, "7", undefined, undefined];
  expect(parse([stream])).toEqual({ data: expected, ids, tooLarge: [], isWithinEvent: true });
  for (let size = 1; size < 20; size++) {
    const chunks: Uint8Array[] = [];
    for (let at = 0; at < stream.length; at += size) chunks.push(stream.subarray(at, at + size));
    expect(parse(chunks).data, `in chunks of ${size}`).toEqual(expected);
  }
  for (let at = 0; at <= stream.length; at++) {
    const cut = [stream.subarray(0, at), new Uint8Array(), stream.subarray(at)];
    expect(parse(cut), `cut at ${at}`).toMatchObject({ data: expected, ids });
  }
});

test("EventStreamParser delivers no event that has not ended", () => {
  expect(parse([bytes("data: one\n\ndata: two\n")])).toMatchObject({ data: ["one"], isWithinEvent: true });
  for (const [rest, isWithinEvent] of [
    ["d", true],
    ["data", true],
    [":", false],
    ["id: 1", false],
    [":\n", false],
  ] as const)
    expect(parse([bytes(`data: one\n\n${rest}`)])).toMatchObject({ data: ["one"], isWithinEvent });
});

test("EventStreamParser discards an event over the limit, keeps its ends, and continues", () => {
  const large = `{"id":1,${"x".repeat(5000)}${"y".repeat(5000)}}`;
  const text = `data: ${large}\n\ndata: ${"z".repeat(4096)}\n\n: ${"c".repeat(100_000)}\n\ndata: last\n\n`;
  for (const size of [1, 7, 1000, text.length]) {
    const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, n) =>
      bytes(text.slice(n * size, (n + 1) * size)),
    );
    const { data, tooLarge } = parse(chunks, 4096);
    expect(data).toEqual(["z".repeat(4096), "last"]);
    expect(tooLarge).toEqual([[large.length, large.slice(0, 1024), large.slice(-1024)]]);
  }
});

test("EventStreamParser does not show anything twice of an event that is hardly over the limit", () => {
  const { tooLarge } = parse([bytes(`data: ${"ab".repeat(600)}\n\n`)], 1100);
  expect(tooLarge).toEqual([[1200, "ab".repeat(512), "ab".repeat(88)]]);
});

import { describe, expect, test } from "vitest";
import { contentLength } from "./content-length.ts";
import type { Framing } from "./framing.ts";
import { ndjson } from "./ndjson.ts";
import { bytesOf, recordingDecoder } from "./testing/decode.ts";
import { countAllocated, countWork } from "./testing/instrument.ts";

const textOf = (size: number): string => JSON.stringify('é"x'.repeat(size / 5));

function workPerByte(framing: Framing, text: string, chunkSize: number, maxMessageBytes?: number): number {
  const bytes = framing.encode([text, "{}"]);
  const { decoder, events } = recordingDecoder(framing, { maxMessageBytes });
  const work = countWork(() => {
    for (let at = 0; at < bytes.length; at += chunkSize) decoder.push(bytes.subarray(at, at + chunkSize));
    decoder.end();
  });
  expect(events).toEqual([maxMessageBytes === undefined ? text : "!message-too-large", "{}"]);
  return work / bytes.length;
}

describe.each([ndjson, contentLength])("$name decoder touches each byte a fixed number of times", (framing) => {
  // Searched for a line's end, copied to a page, joined with the other pages, decoded.
  const mostTouches = 6;

  test.each([1, 3, 100, 4096, 65_536, 10_000_000])("of a long message in chunks of %i bytes", (chunkSize) => {
    for (const size of [1000, 20_000, 400_000]) {
      expect(workPerByte(framing, textOf(size), chunkSize)).toBeLessThan(mostTouches);
    }
  });

  test.each([1, 3, 100, 65_536])("of an oversized message in chunks of %i bytes", (chunkSize) => {
    for (const size of [30_000, 300_000]) {
      expect(workPerByte(framing, textOf(size), chunkSize, 20_000)).toBeLessThan(mostTouches);
    }
  });

  test.each([1, 7, 65_536])("of many short messages in chunks of %i bytes", (chunkSize) => {
    const bytes = framing.encode(Array.from({ length: 5000 }, (_, id) => JSON.stringify({ id })));
    const { decoder, messages } = recordingDecoder(framing);
    const work = countWork(() => {
      for (let at = 0; at < bytes.length; at += chunkSize) decoder.push(bytes.subarray(at, at + chunkSize));
    });
    expect(messages.length).toBe(5000);
    expect(work / bytes.length).toBeLessThan(mostTouches);
  });
});

test.each([ndjson, contentLength])("$name decoder takes 10 MB in single bytes", (framing) => {
  const text = JSON.stringify("x".repeat(10_000_000));
  const bytes = framing.encode([text]);
  const { decoder, messages } = recordingDecoder(framing);
  for (let at = 0; at < bytes.length; at++) decoder.push(bytes.subarray(at, at + 1));
  expect(messages.length).toBe(1);
  expect(messages[0] === text).toBe(true);
});

describe.each([ndjson, contentLength])("$name decoder holds little", (framing) => {
  test("of a message over the limit", () => {
    const { decoder, issues } = recordingDecoder(framing, { maxMessageBytes: 100_000 });
    if (framing === contentLength) decoder.push(bytesOf("Content-Length: 9999999\r\n\r\n"));
    const chunk = new Uint8Array(65_536).fill(0x20);
    const allocated = countAllocated(() => {
      for (let n = 0; n < 100; n++) decoder.push(chunk);
      decoder.end();
    });
    expect(issues.map(({ code }) => code)).toEqual(["message-too-large"]);
    expect(allocated).toBeLessThan(300_000);
  });

  test("of noise without an end", () => {
    const { decoder } = recordingDecoder(framing, { maxMessageBytes: 1000 });
    const chunk = new Uint8Array(65_536).fill(0x41);
    const allocated = countAllocated(() => {
      for (let n = 0; n < 100; n++) decoder.push(chunk);
    });
    expect(allocated).toBeLessThan(50_000);
  });
});

test("content-length decoder allocates for received bytes, not for the size in a header", () => {
  const { decoder, issues } = recordingDecoder(contentLength);
  const allocated = countAllocated(() => {
    decoder.push(bytesOf("Content-Length: 60000000\r\n\r\n{"));
    decoder.end();
  });
  expect(issues.map(({ code }) => code)).toEqual(["truncated-message"]);
  expect(allocated).toBeLessThan(50_000);
});

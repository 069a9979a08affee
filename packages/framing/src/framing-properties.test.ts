import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contentLength } from "./content-length.ts";
import { ndjson } from "./ndjson.ts";
import { bytesOf, decode } from "./testing/decode.ts";

const message = fc.oneof(
  fc.object().map((value) => JSON.stringify(value)),
  fc
    .record({ id: fc.integer(), text: fc.string({ unit: "binary", maxLength: 300 }) })
    .map((value) => JSON.stringify(value)),
  fc.constantFrom('{"text":"Content-Length: 2\\r\\n\\r\\n{}"}', '{"a":"é€😀"}', "[]", "null"),
);
/** Sizes of chunks, used in turn; empty for all in one. */
const chunking = fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 8 });

describe.each([ndjson, contentLength])("$name", (framing) => {
  test("decodes its own output after a cut at any point", () => {
    fc.assert(
      fc.property(fc.array(fc.array(message)), chunking, (batches, sizes) => {
        const bytes = bytesOf(...batches.map((texts) => [...framing.encode(texts)]));
        const { events } = decode(framing, bytes, sizes);
        expect(events).toEqual(batches.flat());
      }),
    );
  });

  test("never throws and delivers the same messages for every chunking when the bytes are arbitrary", () => {
    const piece = fc.oneof(
      message.map((text) => framing.encode([text])),
      message.map((text) => bytesOf(text)),
      fc.uint8Array({ maxLength: 60 }),
      fc
        .constantFrom(
          "\r\n",
          "\n",
          "\r",
          "\r\r\n",
          "\uFEFF\uFEFF",
          "Content-Length: 3",
          "Content-Length: 99\r\n\r\n",
          "content-length:2\n\n{}",
          "\uFEFF",
          "X-A: b\r\n",
        )
        .map((text) => bytesOf(text)),
    );
    fc.assert(
      fc.property(fc.array(piece), chunking, fc.integer({ min: 1, max: 80 }), (pieces, sizes, maxMessageBytes) => {
        const bytes = bytesOf(...pieces.map((part) => [...part]));
        const whole = decode(framing, bytes, [], { maxMessageBytes });
        const cut = decode(framing, bytes, sizes, { maxMessageBytes });
        expect(cut.messages).toEqual(whole.messages);
        for (const text of cut.messages) expect(bytesOf(text).length).toBeLessThanOrEqual(maxMessageBytes);
        for (const issue of cut.issues) expect(issue.message).toMatch(/^[A-Z].*[^.]$/s);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("broken messages cost only themselves", () => {
  const good = fc.integer().map((id) => ({ isGood: true as const, text: JSON.stringify({ id }) }));

  test("in ndjson", () => {
    const broken = fc.constantFrom(
      { isGood: false as const, bytes: [...bytesOf(`"${"x".repeat(100)}"\n`)], code: "message-too-large" },
      { isGood: false as const, bytes: [0x7b, 0xff, 0xc0, 0x0a], code: "invalid-utf8" },
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(good, broken)), chunking, (parts, sizes) => {
        const bytes = bytesOf(...parts.map((part) => (part.isGood ? [...ndjson.encode([part.text])] : part.bytes)));
        const { events } = decode(ndjson, bytes, sizes, { maxMessageBytes: 64 });
        expect(events).toEqual(parts.map((part) => (part.isGood ? part.text : `!${part.code}`)));
      }),
    );
  });

  test("in content-length", () => {
    const broken = fc
      .constantFrom(
        "log line\n",
        "WARN: with a colon\n",
        "no line break",
        `Content-Length: 100\r\n\r\n"${"x".repeat(98)}"`,
        'Content-Length: 100000\r\n\r\n{"short":true}',
        'Content-Length: 0x5\r\n\r\n{"a":1}',
        'Content-Length: 3\r\nContent-Length: 4\r\n\r\n"a"',
        'Content-Type: application/json\r\n\r\n{"a":1}',
        "Content-Length: 5\r\nContent-Type: a/b; charset=latin1\r\n\r\n12345",
      )
      .map((text) => ({ isGood: false as const, bytes: [...bytesOf(text)] }));
    const invalid = fc.constant({
      isGood: false as const,
      bytes: [...bytesOf("Content-Length: 2\r\n\r\n", [0xff, 0xc0])],
    });
    fc.assert(
      fc.property(fc.array(fc.oneof(good, broken, invalid)), chunking, (parts, sizes) => {
        const bytes = bytesOf(
          ...parts.map((part) => (part.isGood ? [...contentLength.encode([part.text])] : part.bytes)),
        );
        const { messages, issues } = decode(contentLength, bytes, sizes, { maxMessageBytes: 64 });
        expect(messages).toEqual(parts.filter((part) => part.isGood).map(({ text }) => text));
        expect(issues.length > 0).toBe(parts.some((part) => !part.isGood));
      }),
    );
  });
});

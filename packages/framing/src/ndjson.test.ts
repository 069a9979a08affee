import { describe, expect, test } from "vitest";
import { MessageTooLargeError } from "./limits.ts";
import { ndjson } from "./ndjson.ts";
import { bytesOf, decode, recordingDecoder } from "./testing/decode.ts";

const everyChunking = [[], [1], [2], [3, 1], [7], [64]];

describe("ndjson decoder", () => {
  test.each(everyChunking.map((sizes) => ({ sizes })))(
    "push() delivers one message a line in chunks of $sizes (TRAN-04)",
    ({ sizes }) => {
      const bytes = bytesOf('{"a":1}\n{"b":"é€😀"}\r\n\n  \n\r\n[]\nnoise\n{"last":true}');
      const { events } = decode(ndjson, bytes, sizes);
      expect(events).toEqual(['{"a":1}', '{"b":"é€😀"}', "[]", "noise", '{"last":true}']);
    },
  );

  test("push() delivers a message before it returns when its newline has come", () => {
    const { decoder, messages } = recordingDecoder(ndjson);
    decoder.push(bytesOf('{"a":'));
    expect(messages).toEqual([]);
    decoder.push(bytesOf("1}\n{"));
    expect(messages).toEqual(['{"a":1}']);
  });

  test.each(everyChunking.map((sizes) => ({ sizes })))(
    "push() passes over a byte order mark in chunks of $sizes",
    ({ sizes }) => {
      const mark = [0xef, 0xbb, 0xbf];
      const { events } = decode(ndjson, bytesOf(mark, '{"a":1}\n', mark, '{"b":2}\r\n', mark, "\n{}\n"), sizes);
      expect(events).toEqual(['{"a":1}', '{"b":2}', "{}"]);
    },
  );

  test.each(everyChunking.map((sizes) => ({ sizes })))(
    "push() reports invalid UTF-8 and continues in chunks of $sizes (TRAN-01)",
    ({ sizes }) => {
      const bytes = bytesOf('{"a":1}\n{"id":7,"x":"', [0xff, 0xc3], '"}\n{"b":2}\n');
      const { events, issues } = decode(ndjson, bytes, sizes);
      expect(events).toEqual(['{"a":1}', "!invalid-utf8", '{"b":2}']);
      expect(issues).toEqual([
        {
          code: "invalid-utf8",
          message: "Left out a message of 17 bytes that is not valid UTF-8",
          bytes: 17,
          head: '{"id":7,"x":"\uFFFD\uFFFD"}',
        },
      ]);
    },
  );

  test.each(everyChunking.map((sizes) => ({ sizes })))(
    "push() takes a message of exactly the limit and leaves out a larger one in chunks of $sizes",
    ({ sizes }) => {
      const exact = `"${"é".repeat(9)}"`;
      const over = `"${"é".repeat(9)}x"`;
      const mark = [0xef, 0xbb, 0xbf];
      const bytes = bytesOf(`${exact}\n${over}\n`, mark, `${exact}\r\n${over}\r\n${exact}`);
      const { events, issues } = decode(ndjson, bytes, sizes, { maxMessageBytes: 20 });
      expect(events).toEqual([exact, "!message-too-large", exact, "!message-too-large", exact]);
      for (const issue of issues) {
        expect(issue).toEqual({
          code: "message-too-large",
          message: "Left out a message of 21 bytes, the limit is 20",
          bytes: 21,
          limit: 20,
          head: over,
        });
      }
    },
  );

  test("push() keeps both ends of an oversized message, whole characters only", () => {
    const start = '{"id":42,"method":"x","params":"';
    const text = `${start}${"€".repeat(50_000)}","jsonrpc":"2.0"}`;
    for (const sizes of [[], [1], [1000]]) {
      const { events, issues } = decode(ndjson, bytesOf(`${text}\n{}\n`), sizes, { maxMessageBytes: 10_000 });
      expect(events).toEqual(["!message-too-large", "{}"]);
      const { head = "", tail = "", bytes } = issues[0] ?? {};
      expect(bytes).toBe(bytesOf(text).length);
      expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
      expect(bytesOf(head).length).toBeGreaterThan(4093);
      expect(bytesOf(head).length).toBeLessThanOrEqual(4096);
      expect(bytesOf(tail).length).toBeGreaterThan(4093);
      expect(bytesOf(tail).length).toBeLessThanOrEqual(4096);
    }
  });

  test("push() keeps both ends of an oversized message, with any marks around them", () => {
    const { decoder, issues } = recordingDecoder(ndjson, { maxMessageBytes: 5000 });
    const chunks = [`\ufeff${"h".repeat(4094)}`, ...Array.from({ length: 6 }, () => "m".repeat(16_384))];
    for (const chunk of [...chunks, `${"t".repeat(4096)}\r`, "\n"]) decoder.push(bytesOf(chunk));
    expect(issues).toMatchObject([{ head: `${"h".repeat(4094)}mm`, tail: "t".repeat(4096) }]);
  });

  test("push() leaves nothing out between head and tail when they hold it all", () => {
    for (let size = 4080; size < 4110; size++) {
      const text = `${"x".repeat(size - 2600)}${"€".repeat(1000)}`;
      const { issues } = decode(ndjson, bytesOf(`${text}\n`), [], { maxMessageBytes: 100 });
      expect(`${issues[0]?.head}${issues[0]?.tail ?? ""}`).toBe(text);
    }
  });

  test("push() does not count the line's end as part of an oversized message", () => {
    for (const sizes of [[], [1], [7], [60]]) {
      const { issues } = decode(ndjson, bytesOf(`${"x".repeat(100)}\r\n`), sizes, { maxMessageBytes: 20 });
      expect(issues).toMatchObject([{ bytes: 100, head: "x".repeat(100) }]);
    }
  });

  test("end() reports an oversized message that has no end", () => {
    const { events } = decode(ndjson, bytesOf(`{}\n${"x".repeat(50)}`), [5], { maxMessageBytes: 20 });
    expect(events).toEqual(["{}", "!message-too-large"]);
  });

  test.each(everyChunking.map((sizes) => ({ sizes })))(
    "push() reports that the peer uses the other framing in chunks of $sizes (TRAN-12/both)",
    ({ sizes }) => {
      const bytes = bytesOf('Content-Length: 8\r\n\r\n{"id":1}content-length: 8\r\n\r\n{"id":2}');
      const { events, issues } = decode(ndjson, bytes, sizes);
      expect(events).toEqual(["!unexpected-bytes", "!unexpected-bytes", '{"id":2}']);
      expect(issues[0]?.message).toContain("content-length framing");
      expect(issues[1]?.head).toContain('{"id":1}');
    },
  );

  test("push() takes no header for text inside a message", () => {
    const text = JSON.stringify({ text: "Content-Length: 5\r\n\r\nhello" });
    expect(decode(ndjson, bytesOf(`${text}\n`)).events).toEqual([text]);
  });
});

describe("ndjson.encode()", () => {
  test("writes one line a message", () => {
    expect(ndjson.encode(['{"a":1}', '"é€😀"'])).toEqual(bytesOf('{"a":1}\n"é€😀"\n'));
    expect(ndjson.encode([]).length).toBe(0);
  });

  test("writes the same after any earlier batch", () => {
    const batches = [["{}"], [`"${"€".repeat(40)}"`, "{}", '"\uD800"'], ["[]", "1"], [`"${"€".repeat(100_000)}"`], []];
    // As many bytes in the first of them as there are characters in both, and line ends.
    batches.push(["é".repeat(50_000), "x".repeat(49_999)], ["x".repeat(100_000)]);
    for (const first of batches) {
      for (const second of batches) {
        ndjson.encode(first);
        const expected = bytesOf(...second.map((text) => `${text}\n`));
        for (let round = 0; round < 3; round++) expect(ndjson.encode(second)).toEqual(expected);
      }
    }
  });

  test("does not check text that the caller already checked", () => {
    expect(ndjson.encode(['"12345"'], { maxMessageBytes: 3, isChecked: true })).toEqual(bytesOf('"12345"\n'));
  });

  test.each(["\n", "\r", "{}\n", '{\r\n"a":1}'])("throws when a text has a raw line break, %j (TRAN-05)", (text) => {
    expect(() => ndjson.encode(["{}", text])).toThrow(TypeError);
    expect(() => ndjson.check(text)).toThrow(TypeError);
  });

  test("is not searched for line breaks when it is from JSON.stringify, but held to the limit", () => {
    expect(() => ndjson.check("a\nb", { isStringified: true })).not.toThrow();
    const check = () => ndjson.check('"12345"', { isStringified: true, maxMessageBytes: 6 });
    expect(check).toThrow(MessageTooLargeError);
  });

  test("throws when a message is over the limit, and not when it is exactly at it", () => {
    const text = `"${"é€😀".repeat(2)}"`;
    expect(ndjson.encode([text], { maxMessageBytes: 20 }).length).toBe(21);
    const encode = () => ndjson.encode(["{}", text], { maxMessageBytes: 19 });
    expect(encode).toThrow(MessageTooLargeError);
    expect(encode).toThrow(expect.objectContaining({ bytes: 20, limit: 19, code: "message_too_large" }));
  });
});

import { describe, expect, test } from "vitest";
import { contentLength } from "./content-length.ts";
import { MessageTooLargeError } from "./limits.ts";
import { bytesOf, decode, recordingDecoder } from "./testing/decode.ts";

const everyChunking = [[], [1], [2], [3, 1], [7], [64]].map((sizes) => ({ sizes }));
const good = 'Content-Length: 10\r\n\r\n{"good":1}';

describe("contentLength decoder", () => {
  test.each(everyChunking)("push() counts bytes, not characters, in chunks of $sizes (TRAN-11)", ({ sizes }) => {
    const bytes = bytesOf('Content-Length: 11\r\n\r\n"é€😀"', good);
    expect(decode(contentLength, bytes, sizes).events).toEqual(['"é€😀"', '{"good":1}']);
  });

  test.each(
    [
      "content-length:2\r\n\r\n{}",
      "CONTENT-LENGTH : \t2 \t\r\n\r\n{}",
      "Content-Length: 2\n\n{}",
      "Content-Length: 0002\r\n\r\n{}",
      "Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}",
      "Content-Length: 2\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n{}",
      'Content-Type: application/json; charset="UTF8"\r\nContent-Length: 2\r\n\r\n{}',
      "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
      "Content-Type : application/json\r\nContent-Length : 2\r\n\r\n{}",
      "X-Trace: 1\r\nContent-Encoding: identity\r\nContent-Length: 2\r\n\r\n{}",
      "\r\n\r\n\nContent-Length: 2\r\n\r\n{}\r\n",
      "\uFEFFContent-Length: 2\r\n\r\n{}",
      "Content-Length: 5\r\n\r\n\uFEFF{}",
      "Content-Length: 0\r\n\r\nContent-Length: 2\r\n\r\n{}",
    ].map((text) => ({ text, shown: JSON.stringify(text) })),
  )("push() tolerates $shown", ({ text }) => {
    for (const { sizes } of everyChunking) {
      expect(decode(contentLength, bytesOf(text, good), sizes).events).toEqual(["{}", '{"good":1}']);
    }
  });

  test.each(["-5", "+5", "0x10", "12abc", "", "5.0", "1e1", "5, 5", "five"].map((value) => ({ value })))(
    "push() reports the length $value and continues at the next header",
    ({ value }) => {
      for (const { sizes } of everyChunking) {
        const { events, issues } = decode(
          contentLength,
          bytesOf(`Content-Length: ${value}\r\n\r\n{"id":9}`, good),
          sizes,
        );
        expect(events.filter((event) => event !== "!unexpected-bytes")).toEqual(["!invalid-header", '{"good":1}']);
        expect(issues[0]?.message).toBe("Found a Content-Length that is no count of bytes");
        const rest = issues.slice(1).map(({ head }) => head);
        expect(rest).toEqual(['{"id":9}']);
      }
    },
  );

  test.each(everyChunking)("push() reports conflicting and missing lengths in chunks of $sizes", ({ sizes }) => {
    const conflict = decode(contentLength, bytesOf("Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}\n", good), sizes);
    expect(conflict.events).toEqual(["!invalid-header", "!unexpected-bytes", '{"good":1}']);
    expect(conflict.issues[0]?.message).toBe("Found a header with conflicting lengths");
    const missing = decode(contentLength, bytesOf("Content-Type: application/json\r\n\r\n{}\n", good), sizes);
    expect(missing.events).toEqual(["!invalid-header", "!unexpected-bytes", '{"good":1}']);
  });

  test("push() reports a header without an empty line and continues at the next one", () => {
    const { events } = decode(contentLength, bytesOf('Content-Length: 8\r\n{"id":1}\n', good));
    expect(events).toEqual(["!unexpected-bytes", "!invalid-header", '{"good":1}']);
  });

  test("push() reports a header section over 8 KiB and continues at the next one", () => {
    const { events } = decode(contentLength, bytesOf("X-A: 1\r\n".repeat(1100), "\r\n", good));
    expect(events).toEqual(["!invalid-header", "!unexpected-bytes", '{"good":1}']);
  });

  test("push() measures each header section apart", () => {
    const long = `X-A: ${"a".repeat(1000)}\r\n`.repeat(5);
    const { events } = decode(contentLength, bytesOf(long, good, long, good, long, good));
    expect(events).toEqual(['{"good":1}', '{"good":1}', '{"good":1}']);
  });

  test.each(["", " ", "\n\t "])("push() takes a body of nothing but white space for no message: %j", (blank) => {
    const bytes = bytesOf(`Content-Length: ${blank.length}\r\n\r\n${blank}`, good);
    expect(decode(contentLength, bytes).events).toEqual(['{"good":1}']);
  });

  test.each(everyChunking)("push() leaves out a message in another character set in chunks of $sizes", ({ sizes }) => {
    const header = "Content-Length: 8\r\nContent-Type: application/json; charset=utf-16\r\n\r\n";
    const { events, issues } = decode(contentLength, bytesOf(`${header}{"id":1}`, good), sizes);
    expect(events).toEqual(["!invalid-header", '{"good":1}']);
    expect(issues[0]).toMatchObject({ bytes: 8, head: '{"id":1}' });
    expect(issues[0]?.message).toContain("another character set");
  });

  test("push() reports log lines in front of a header as one issue", () => {
    const { events, issues } = decode(contentLength, bytesOf("starting\nINFO: ready\n", good, "bye\n", good));
    expect(events).toEqual(["!unexpected-bytes", '{"good":1}', "!unexpected-bytes", '{"good":1}']);
    expect(issues[0]).toEqual({
      code: "unexpected-bytes",
      message: "Left out 21 bytes where a header should stand",
      bytes: 21,
      head: "starting\nINFO: ready\n",
    });
  });

  test.each(everyChunking)(
    "push() finds a header after noise without a line break in chunks of $sizes",
    ({ sizes }) => {
      for (const noise of ["log", "x".repeat(20_000), "Content-Len", "X-Content-Length: 3\r\nlog"]) {
        const { messages, issues } = decode(contentLength, bytesOf(noise, good, good), sizes);
        expect(messages).toEqual(['{"good":1}', '{"good":1}']);
        if (!noise.startsWith("X-")) expect(issues.map(({ bytes }) => bytes)).toEqual([noise.length]);
      }
    },
  );

  test("push() takes the end of another field's name for no header", () => {
    const { events, issues } = decode(contentLength, bytesOf("see X-Content-Length: 3\r\n", good));
    expect(events).toEqual(["!unexpected-bytes", '{"good":1}']);
    expect(issues[0]?.head).toBe("see X-Content-Length: 3\r\n");
  });

  test("push() finds a header that continues past the end of the kept part of a line", () => {
    for (let size = 8192 - 40; size <= 8192; size++) {
      for (const sizes of [[1], [7], [size]]) {
        const { events, issues } = decode(contentLength, bytesOf("x".repeat(size), good), sizes);
        expect(events).toEqual(["!unexpected-bytes", '{"good":1}']);
        expect(issues[0]?.bytes).toBe(size);
      }
    }
  });

  test("push() tells noise after a bad header from noise after a good message", () => {
    const { issues } = decode(contentLength, bytesOf("Content-Length: x\r\n\r\n{}\n", good, "log\n", good));
    expect(issues.map(({ message }) => message)).toEqual([
      "Found a Content-Length that is no count of bytes",
      "Left out 3 bytes behind a header that could not be used",
      "Left out 4 bytes where a header should stand",
    ]);
  });

  test("push() reports noise without waiting for the next header", () => {
    const { decoder, issues } = recordingDecoder(contentLength);
    decoder.push(bytesOf("Error: no such model\n"));
    expect(issues.length).toBe(1);
  });

  test.each(everyChunking)(
    "push() reports that the peer uses the other framing in chunks of $sizes (TRAN-12/both)",
    ({ sizes }) => {
      const { issues, messages } = decode(contentLength, bytesOf('{"id":1}\n', good), sizes);
      expect(messages).toEqual(['{"good":1}']);
      expect(issues).toMatchObject([{ code: "unexpected-bytes", head: '{"id":1}\n', bytes: 9 }]);
      expect(issues[0]?.message).toContain("ndjson framing");
    },
  );

  test.each(everyChunking)("push() reports invalid UTF-8 and continues in chunks of $sizes (TRAN-01)", ({ sizes }) => {
    const bytes = bytesOf("Content-Length: 4\r\n\r\n", [0x22, 0xff, 0xc3, 0x22], good);
    const { events, issues } = decode(contentLength, bytes, sizes);
    expect(events).toEqual(["!invalid-utf8", '{"good":1}']);
    expect(issues[0]).toMatchObject({ bytes: 4, head: '"\uFFFD\uFFFD"' });
  });

  test.each(everyChunking)(
    "push() accepts messages up to the limit and discards longer ones in chunks of $sizes",
    ({ sizes }) => {
      const exact = `"${"é".repeat(9)}"`;
      const over = `"${"é".repeat(9)}x"`;
      const bytes = bytesOf(`Content-Length: 20\r\n\r\n${exact}Content-Length: 21\r\n\r\n${over}`, good);
      const { events, issues } = decode(contentLength, bytes, sizes, { maxMessageBytes: 20 });
      expect(events).toEqual([exact, "!message-too-large", '{"good":1}']);
      expect(issues[0]).toEqual({
        code: "message-too-large",
        message: "Left out a message of 21 bytes, the limit is 20",
        bytes: 21,
        limit: 20,
        head: over,
      });
    },
  );

  test("push() reports an oversized message once it is over, before another one comes", () => {
    const { decoder, issues } = recordingDecoder(contentLength, { maxMessageBytes: 10 });
    decoder.push(bytesOf('Content-Length: 20\r\n\r\n{\n  "id": 1,\n  "x'));
    expect(issues.length).toBe(0);
    decoder.push(bytesOf("\n }"));
    expect(issues).toMatchObject([{ bytes: 20, head: '{\n  "id": 1,\n  "x\n }' }]);
  });

  test.each(["1000000", "9".repeat(16), "9".repeat(400)])(
    "push() never skips a claimed length of %s when the next header comes earlier",
    (claimed) => {
      for (const { sizes } of everyChunking) {
        const bytes = bytesOf(`Content-Length: ${claimed}\r\n\r\n{"id":3,\n"x":"Content-Length: 2"}`, good, good);
        const { events, issues } = decode(contentLength, bytes, sizes, { maxMessageBytes: 20 });
        expect(events).toEqual(["!message-too-large", '{"good":1}', '{"good":1}']);
        expect(issues[0]).toMatchObject({ limit: 20, bytes: 33, head: '{"id":3,\n"x":"Content-Length: 2"}' });
      }
    },
  );

  test.each(everyChunking)("end() reports a truncated message in chunks of $sizes", ({ sizes }) => {
    const cut = (text: string) => decode(contentLength, bytesOf(good, text), sizes, { maxMessageBytes: 20 });
    expect(cut('Content-Length: 12\r\n\r\n{"id":1').issues).toEqual([
      {
        code: "truncated-message",
        message: "The stream ended 7 bytes into a message of 12",
        bytes: 7,
        head: '{"id":1',
      },
    ]);
    expect(cut("Content-Length: 5").events).toEqual(['{"good":1}', "!truncated-message"]);
    expect(cut("Content-Length: 5\r\n").events).toEqual(['{"good":1}', "!truncated-message"]);
    expect(cut("goodbye").events).toEqual(['{"good":1}', "!unexpected-bytes"]);
    expect(cut("Content-Length: 50\r\n\r\n{}").events).toEqual(['{"good":1}', "!message-too-large"]);
    expect(cut("\r\n").events).toEqual(['{"good":1}']);
  });
});

describe("contentLength.encode()", () => {
  test("counts bytes when a batch has other characters than ASCII (TRAN-11)", () => {
    expect(contentLength.encode(["{}", '"é€😀\uD800€"'])).toEqual(
      bytesOf('Content-Length: 2\r\n\r\n{}Content-Length: 17\r\n\r\n"é€😀\uFFFD€"'),
    );
    expect(contentLength.encode(["{}", "{\n}"])).toEqual(
      bytesOf("Content-Length: 2\r\n\r\n{}Content-Length: 3\r\n\r\n{\n}"),
    );
    expect(contentLength.encode([]).length).toBe(0);
  });

  test("writes the same after any earlier batch", () => {
    const batches = [
      ["{}"],
      [`"${"€".repeat(40)}"`, "{}", `"${"é".repeat(400)}"`],
      ["[]", "1"],
      [`"${"€".repeat(100_000)}"`],
    ];
    for (const first of batches) {
      for (const second of batches) {
        contentLength.encode(first);
        const expected = second.map((text) => `Content-Length: ${bytesOf(text).length}\r\n\r\n${text}`);
        for (let round = 0; round < 3; round++) {
          expect(new TextDecoder().decode(contentLength.encode(second))).toBe(expected.join(""));
        }
      }
    }
  });

  test("throws when a message is over the limit, and not when it is exactly at it", () => {
    const text = `"${"é€😀".repeat(2)}"`;
    expect(decode(contentLength, contentLength.encode([text], { maxMessageBytes: 20 })).events).toEqual([text]);
    expect(() => contentLength.encode(["{}", text], { maxMessageBytes: 19 })).toThrow(MessageTooLargeError);
    expect(() => contentLength.check(text, { maxMessageBytes: 19 })).toThrow(MessageTooLargeError);
  });
});

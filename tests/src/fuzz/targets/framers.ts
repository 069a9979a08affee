import { contentLength, type FrameSink, type Framing, type FramingIssue, ndjson } from "@acp/framing";

import { chunksOf, cutOf } from "../inputs/chunks.ts";
import { countWork } from "../inputs/work.ts";
import { expectSame, expectTrue, type Target } from "../target.ts";

interface Decoded {
  readonly messages: readonly string[];
  readonly issues: readonly FramingIssue[];
}

function decode(framing: Framing, chunks: Iterable<Uint8Array>, maxMessageBytes: number): Decoded {
  const messages: string[] = [];
  const issues: FramingIssue[] = [];
  const sink: FrameSink = { message: (text) => void messages.push(text), issue: (issue) => void issues.push(issue) };
  const decoder = framing.createDecoder(sink, { maxMessageBytes });
  for (const chunk of chunks) decoder.push(chunk);
  decoder.end();
  return { messages, issues };
}

/** Each byte is searched, copied, joined and decoded, and the ends of what is discarded once more. */
const touchesPerByte = 8;
/** The ends of a discarded message, and the reserve of a short one. */
const touchesPerIssue = 20_000;

function check(framing: Framing, input: Uint8Array): void {
  const { sizes, limit, bytes } = cutOf(input);
  const whole = decode(framing, [bytes.slice()], limit);
  let cut = whole;
  const work = countWork(() => (cut = decode(framing, chunksOf(bytes, sizes), limit)));
  expectSame(cut.messages, whole.messages, "The messages depend on how the bytes are cut");
  const most = touchesPerByte * bytes.length + touchesPerIssue * (1 + cut.issues.length);
  expectTrue(work <= most, `${bytes.length} bytes take ${work} touches`);
  const encoder = new TextEncoder();
  for (const text of cut.messages) expectTrue(encoder.encode(text).length <= limit, "A message is over the limit");
  for (const { message, head = "", tail = "" } of cut.issues) {
    expectTrue(/^[A-Z].*[^.]$/su.test(message), `An issue says ${message}`);
    expectTrue(head.length <= 4096 && tail.length <= 4096, "An issue holds more than the ends");
  }
  // What was decoded can be sent on, and comes out again.
  const sendable = cut.messages.filter((text) => text.trim() !== "" && !/[\r\n]/u.test(text));
  expectSame(decode(framing, [framing.encode(sendable)], limit).messages, sendable, "A message does not come back");
}

export const ndjsonTarget: Target = {
  name: "ndjson",
  covers: ["packages/framing/"],
  seeds: [
    '\x03\x05\x40{"a":1}\n{"b":2}\r\n',
    "\x01\x01\x10\xff\xc0\n\n\0\n",
    "\x02\x07\x08a line over the limit\n{}\n",
  ],
  check: (input) => check(ndjson, input),
};

export const contentLengthTarget: Target = {
  name: "content-length",
  covers: ["packages/framing/"],
  seeds: [
    '\x03\x05\x40Content-Length: 7\r\n\r\n{"a":1}Content-Length: 2\r\n\r\n{}',
    "\x01\x01\x40noise\nContent-Type: a/b; charset=utf-8\r\ncontent-length:2\n\n[]",
    "\x02\x07\x08Content-Length: 99999\r\n\r\n{}Content-Length: 2\r\n\r\n{}",
    "\x02\x07\x20Content-Length: 0x5\r\n\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\n123",
  ],
  check: (input) => check(contentLength, input),
};

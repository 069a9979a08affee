// oxlint-disable-next-line no-restricted-imports
import { EventStreamParser } from "@acp/http/internal";

import { chunksOf, cutOf } from "../inputs/chunks.ts";
import { countWork } from "../inputs/work.ts";
import { expectSame, expectTrue, type Target } from "../target.ts";

/** An event: its data, or how long that was and its ends. */
type Event = string | readonly [units: number, head: string, tail: string];

function parse(chunks: Iterable<Uint8Array>, limit: number): readonly Event[] {
  const events: Event[] = [];
  const parser = new EventStreamParser(limit, {
    data: (text) => events.push(text),
    tooLarge: (units, head, tail) => events.push([units, head, tail]),
  });
  for (const chunk of chunks) parser.push(chunk);
  return events;
}

/** The same by the text of the standard, for a stream that is there as a whole: data of all events. */
function parseWhole(bytes: Uint8Array): readonly string[] {
  const lines = new TextDecoder().decode(bytes, { stream: true }).split(/\r\n|\r|\n/u);
  const events: string[] = [];
  let data: string[] = [];
  // What has no line end does not count.
  for (const line of lines.slice(0, -1)) {
    if (line === "") {
      if (data.join("\n") !== "") events.push(data.join("\n"));
      data = [];
    } else if (line === "data" || line.startsWith("data:")) data.push(line.slice(5).replace(/^ /u, ""));
  }
  return events;
}

export const eventStreamTarget: Target = {
  name: "event-stream",
  covers: ["packages/http/"],
  seeds: [
    '\x03\x05\x40data: {"a":1}\n\ndata: b\r\ndata: c\r\n\r\n',
    "\x01\x02\x08\xef\xbb\xbf: comment\rdata:one\rdata\rdata: two, which is too long\r\revent: x\rid: 7\r\r",
    "\x02\x02\x20data:\xe2\x82\xac\n\ndata: \xff\n\nretry: 10\n\n",
  ],
  check(input) {
    const { sizes, limit, bytes } = cutOf(input);
    let cut: readonly Event[] = [];
    const work = countWork(() => (cut = parse(chunksOf(bytes, sizes), limit)));
    expectTrue(work <= 8 * bytes.length + 1_000, `${bytes.length} bytes take ${work} touches`);
    expectSame(cut, parse([bytes.slice()], limit), "The events depend on how the bytes are cut");
    const expected = parseWhole(bytes);
    expectTrue(cut.length === expected.length, `${cut.length} events instead of ${expected.length}`);
    for (const [index, event] of cut.entries()) {
      const text = expected[index] ?? "";
      if (typeof event === "string") expectSame(event, text, "The data of an event");
      else {
        const [units, head, tail] = event;
        expectTrue(units === text.length && units > limit, "The size of an event over the limit");
        expectTrue(
          text.startsWith(head) && text.endsWith(tail) && head.length + tail.length <= units,
          "The ends of an event",
        );
      }
    }
  },
};

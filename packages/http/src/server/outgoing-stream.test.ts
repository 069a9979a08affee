import { expect, test } from "vitest";

import { EventStreamParser } from "../event-stream-parser.ts";
import { OutgoingStream } from "./outgoing-stream.ts";

test("an outgoing stream carries messages of several lines, as a proxy may pass them on", async () => {
  const stream = new OutgoingStream({ taken: () => {}, released: () => {} });
  const messages = [{ text: "a\r\nb" }, { deep: { deeper: [1, 2] } }, {}];
  stream.push(JSON.stringify(messages[0], null, 2));
  stream.push(JSON.stringify(messages[1], null, "\t").replaceAll("\n", "\r\n"));
  stream.push(JSON.stringify(messages[2]));
  const body = stream.open();
  stream.finish();
  const read: unknown[] = [];
  const parser = new EventStreamParser(1_000, { data: (text) => read.push(JSON.parse(text)), tooLarge: () => {} });
  parser.push(new Uint8Array(await new Response(body).arrayBuffer()));
  expect(read).toEqual(messages);
});

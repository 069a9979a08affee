import { type BytePipe, createByteTransport } from "@acp/core";
import { expect, test } from "vitest";

import { withPauses } from "./with-pauses.ts";

test("withPauses() lets others have their turn while much is written, and writes it all, in order", async () => {
  let written = "";
  const pipe: BytePipe = {
    start: () => {},
    pause: () => {},
    resume: () => {},
    write: (bytes) => void (written += new TextDecoder().decode(bytes)),
    close: async () => {},
  };
  const transport = createByteTransport(withPauses(pipe, setImmediate));
  const texts = Array.from({ length: 2_000 }, (_, index) => JSON.stringify({ index, text: "x".repeat(1_000) }));
  let turns = 0;
  const count = (): void => {
    turns += 1;
    others = setImmediate(count);
  };
  let others = setImmediate(count);
  // One after the other, as a handler does that awaits each.
  for (const text of texts) await transport.send(text, "later");
  clearImmediate(others);
  expect(turns).toBeGreaterThan(20);
  await transport.close();
  expect(written).toBe(texts.map((text) => `${text}\n`).join(""));
});

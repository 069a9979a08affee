import { describe, expect, test } from "vitest";

import { streamText, pause } from "./stream-text.ts";

describe("streamText()", () => {
  test.each(["one", "one two three four five", "  a\n\n- b\n- c\n", "", " \n ", "x".repeat(50_000)])(
    "yields chunks that add up to the text %#",
    async (text) => {
      const chunks: string[] = [];
      for await (const chunk of streamText(text, 0, new AbortController().signal)) chunks.push(chunk);
      expect(chunks.join("")).toBe(text);
      expect(chunks.length).toBe(Math.ceil(text.split(/\s+/u).filter(Boolean).length / 3) || (text === "" ? 0 : 1));
    },
  );

  test("stops when the turn is cancelled", async () => {
    const controller = new AbortController();
    const chunks: string[] = [];
    const reading = (async () => {
      for await (const chunk of streamText("a b c d e f", 60_000, controller.signal)) {
        chunks.push(chunk);
        queueMicrotask(() => controller.abort(new Error("cancelled")));
      }
    })();
    await expect(reading).rejects.toThrow("cancelled");
    expect(chunks).toEqual(["a b c"]);
  });
});

describe("pause()", () => {
  test("rejects at once when the signal has aborted", async () => {
    await expect(pause(60_000, AbortSignal.abort(new Error("too late")))).rejects.toThrow("too late");
  });
});

import { describe, expect, test } from "vitest";

import { inPieces, pause } from "./pace.ts";

describe("inPieces()", () => {
  test.each(["one", "one two three four five", "  a\n\n- b\n- c\n", "", " \n ", "x".repeat(50_000)])(
    "gives pieces that add up to the text %#",
    async (text) => {
      const pieces: string[] = [];
      for await (const piece of inPieces(text, 0, new AbortController().signal)) pieces.push(piece);
      expect(pieces.join("")).toBe(text);
      expect(pieces.length).toBe(Math.ceil(text.split(/\s+/u).filter(Boolean).length / 3) || (text === "" ? 0 : 1));
    },
  );

  test("stops when the turn is cancelled", async () => {
    const controller = new AbortController();
    const pieces: string[] = [];
    const reading = (async () => {
      for await (const piece of inPieces("a b c d e f", 60_000, controller.signal)) {
        pieces.push(piece);
        queueMicrotask(() => controller.abort(new Error("cancelled")));
      }
    })();
    await expect(reading).rejects.toThrow("cancelled");
    expect(pieces).toEqual(["a b c"]);
  });
});

describe("pause()", () => {
  test("rejects at once when the signal has aborted", async () => {
    await expect(pause(60_000, AbortSignal.abort(new Error("too late")))).rejects.toThrow("too late");
  });
});

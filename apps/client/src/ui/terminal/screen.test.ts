import { PassThrough } from "node:stream";

import { span } from "@acp/render";
import fc from "fast-check";
import xterm from "@xterm/headless";
import { describe, expect, test } from "vitest";

import { Screen } from "./screen.ts";

/** A screen on a terminal in memory. */
function open(columns = 30, rows = 10) {
  const terminal = new xterm.Terminal({ cols: columns, rows, scrollback: 10_000, allowProposedApi: true });
  let written = Promise.resolve();
  const output = Object.assign(new PassThrough(), {
    columns,
    rows,
    isTTY: true,
    write(text: string) {
      written = new Promise((resolve) => terminal.write(text, resolve));
      return true;
    },
  });
  const screen = new Screen(output as unknown as NodeJS.WriteStream, {}, () => {});
  return {
    screen,
    /** Everything that was written and not erased. */
    async all(): Promise<string> {
      await written;
      const { active } = terminal.buffer;
      const lines = Array.from({ length: active.length }, (_, at) => active.getLine(at)?.translateToString(true) ?? "");
      return lines.join("\n").trimEnd();
    },
    async cursor() {
      await written;
      const { active } = terminal.buffer;
      return { row: active.baseY + active.cursorY, column: active.cursorX };
    },
    resize(width: number, height: number) {
      terminal.resize(width, height);
      Object.assign(output, { columns: width, rows: height });
      output.emit("resize");
    },
  };
}

const lines = (texts: readonly string[]) => texts.map((text) => [span(text)]);

describe("Screen", () => {
  test("has what was printed, then the last frame, whatever was drawn before", async () => {
    const text = fc.constantFrom("", "a", "line", "a longer line", "表示", "x".repeat(28));
    const step = fc.record({
      printed: fc.array(text, { maxLength: 15 }),
      frame: fc.array(text, { maxLength: 9 }),
      place: fc.nat(8),
      isFull: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        const { screen, all, cursor } = open();
        const history: string[] = [];
        for (const { printed, frame, place, isFull } of steps) {
          history.push(...printed);
          if (isFull) {
            screen.drawFull({ lines: lines(["on the", "whole screen"]) });
            screen.leaveFull();
          }
          const row = Math.min(place, Math.max(0, frame.length - 1));
          screen.draw(lines(printed), { lines: lines(frame), cursor: { row, column: 2 } });
          expect(await all()).toBe([...history, ...frame].join("\n").trimEnd());
          expect(await cursor()).toEqual({ row: history.length + row, column: 2 });
        }
      }),
      { seed: 11, numRuns: 60 },
    );
  });

  test("a frame that does not fit loses its first rows", async () => {
    const { screen, all } = open(30, 5);
    screen.draw([], { lines: lines(["1", "2", "3", "4", "5", "6"]) });
    expect(await all()).toBe("3\n4\n5\n6");
  });

  test("rows that are too wide are cut, so that none takes two", async () => {
    const { screen, all } = open(10, 5);
    screen.draw([], { lines: lines(["x".repeat(30), "y"]) });
    expect(await all()).toBe(`${"x".repeat(8)}…\ny`);
  });

  test.each([
    [20, 10],
    [40, 12],
    [30, 6],
  ])("after a change to %ix%i, there is one frame", async (columns, rows) => {
    const { screen, all, resize } = open();
    screen.draw(lines(["said"]), { lines: lines(["x".repeat(25), "> ", "status"]), cursor: { row: 1, column: 2 } });
    await all();
    resize(columns, rows);
    screen.draw([], { lines: lines(["new", "> ", "status"]), cursor: { row: 1, column: 2 } });
    expect(await all()).toBe("said\nnew\n>\nstatus");
  });

  test("what is drawn on the whole screen leaves nothing, also if the size has changed meanwhile", async () => {
    const { screen, all, resize } = open();
    screen.draw(lines(["said"]), { lines: lines(["x".repeat(25), "> "]), cursor: { row: 1, column: 2 } });
    screen.drawFull({ lines: lines(["a transcript"]) });
    expect(await all()).toBe("a transcript");
    resize(24, 8);
    screen.drawFull({ lines: lines(["a transcript", "of two"]) });
    screen.leaveFull();
    screen.draw([], { lines: lines(["frame", "> "]) });
    expect(await all()).toBe("said\nframe\n>");
  });
});

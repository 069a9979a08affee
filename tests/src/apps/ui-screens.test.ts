// What the user sees of a turn in a pseudo-terminal.
import { fileURLToPath } from "node:url";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { bundleProgram } from "../support/bundle-program.ts";
import { temporaryDirectory } from "../support/main-job-programs.ts";
import { executableOf } from "../support/runtimes.ts";
import { TerminalScreen } from "../support/terminal/terminal-screen.ts";

const source = fileURLToPath(new URL("../../../apps/client/src/ui/view/testing/draw-states.ts", import.meta.url));

const directory = temporaryDirectory();
let program = "";

beforeAll(async () => {
  program = await bundleProgram(source, directory.path);
});

afterAll(() => directory[Symbol.dispose]());

/** Draws the turn up to this state. */
async function drawn(state: number, columns: number, rows: number): Promise<TerminalScreen> {
  const terminal = new TerminalScreen([program], { columns, rows, command: executableOf("node24") });
  await terminal.shows(/state 0/u);
  for (let at = 1; at <= state; at += 1) await next(terminal, at);
  return terminal;
}

async function next(terminal: TerminalScreen, state: number): Promise<void> {
  terminal.type("n");
  await terminal.shows(new RegExp(`state ${state} at`, "u"));
}

async function resize(terminal: TerminalScreen, columns: number, rows: number): Promise<void> {
  terminal.resize(columns, rows);
  await terminal.shows(new RegExp(`at ${columns}x${rows}`, "u"));
}

/** What is drawn anew, without what is in the scrollback or about to go there. */
function frameOf(screen: string): string {
  return screen.slice(screen.indexOf("⠋"));
}

describe("at 80x24", () => {
  test("two calls run at once, with the plan and a prompt that waits", async () => {
    using terminal = await drawn(4, 80, 24);
    expect(terminal.screen).toMatchInlineSnapshot(`
      "❯ Fix the failing test
        @ src/total.js

      ✻ The user wants the failing test to be fixed. I look at the pr…  92 characters
      ⠋ Run the tests  execute · 12 s
        │ $ npm test
        │ … 29 lines before
        │ line 30 of the output
      ✓ Edit src/total.js  edit · src/total.js:3 · 0.3 s
        │ 1  function total(items) {
        │ … 5 more lines

      Plan 1/3
        ✓ Look at the project
        ▸ Fix the mistake
        · Run the tests

      ⠋ npm test  12 s · silent for 12 s · Esc cancels
      ⋯ and then say hello

      > state 4 at 80x24
      reference · 1 queued · Ask · Big Model · Fix the total                      6 %"
    `);
  });

  test("a whole turn is in the scrollback at its end", async () => {
    using terminal = await drawn(9, 80, 24);
    expect(terminal.everything).toMatchInlineSnapshot(`
      "❯ Fix the failing test
        @ src/total.js

      ✻ The user wants the failing test to be fixed. I look at the pr…  92 characters

      ✗ Run the tests  execute · exit code 1 · failed · 4.2 s
        │ $ npm test
        │ line 1 of the output
        │ line 2 of the output
        │ line 3 of the output
        │ line 4 of the output
        │ line 5 of the output
        │ line 6 of the output
        │ line 7 of the output
        │ line 8 of the output
        │ line 9 of the output
        │ line 10 of the output
        │ line 11 of the output
        │ line 12 of the output
        │ … 10 more lines
        │ line 23 of the output
        │ line 24 of the output
        │ line 25 of the output
        │ line 26 of the output
        │ line 27 of the output
        │ line 28 of the output
        │ line 29 of the output
        │ line 30 of the output
      ✓ Edit src/total.js  edit · src/total.js:3 · 0.3 s
        │ 1  function total(items) {
        │ 2    let sum = 0;
        │ 3 -  for (const item of items) sum += item.price;
        │ 3 +  for (const item of items) sum += Number(item.price);
        │ 4    return sum;
        │ 5  }

      I found the mistake in src/total.js:

      file         │ line │ what
      ─────────────┼──────┼────────────────────────────────────────────
      src/total.js │    3 │ adds strings, which gives "12" instead of 3

      1. first
      2. second

        function total(items) {
          // adds
          return items.reduce((sum, { price }) => sum + Number(price), 0);
        }

      Done.

      ■ 12 s · 2 tool calls

      > state 9 at 80x24
      reference · Ask · Big Model · Fix the total                                 6 %"
    `);
  });
});

describe("at 200x50", () => {
  test("two calls run at once, with the plan and a prompt that waits", async () => {
    using terminal = await drawn(4, 200, 50);
    expect(terminal.screen).toMatchInlineSnapshot(`
      "❯ Fix the failing test
        @ src/total.js

      ✻ The user wants the failing test to be fixed. I look at the project first, and run its tests.

      ⠋ Run the tests  execute · 12 s
        │ $ npm test
        │ … 21 lines before
        │ line 22 of the output
        │ line 23 of the output
        │ line 24 of the output
        │ line 25 of the output
        │ line 26 of the output
        │ line 27 of the output
        │ line 28 of the output
        │ line 29 of the output
        │ line 30 of the output
      ✓ Edit src/total.js  edit · src/total.js:3 · 0.3 s
        │ 1  function total(items) {
        │ 2    let sum = 0;
        │ 3 -  for (const item of items) sum += item.price;
        │ 3 +  for (const item of items) sum += Number(item.price);
        │ 4    return sum;
        │ 5  }

      Plan 1/3
        ✓ Look at the project
        ▸ Fix the mistake
        · Run the tests

      ⠋ npm test  12 s · silent for 12 s · Esc cancels
      ⋯ and then say hello

      > state 4 at 200x50
      reference · 1 queued · Ask · Big Model · Fix the total                                                                                                        12,000 of 200,000 tokens (6 %) · 0.42 USD"
    `);
  });
});

describe("resizing", () => {
  test("erases all of earlier frames", async () => {
    using terminal = await drawn(4, 80, 24);
    const before = frameOf(terminal.screen);
    for (const columns of [70, 60, 50]) await resize(terminal, columns, 24);
    expect(terminal.screen).toMatchInlineSnapshot(`
      "❯ Fix the failing test
        @ src/total.js

      ✻ The user wants the failing test to be fixed. I l
      ook at the pr…  92 characters
      ⠋ Run the tests  execute · 12 s
        │ $ npm test
        │ … 29 lines before
        │ line 30 of the output
      ✓ Edit src/total.js  edit · src/total.js:3 · 0.3…
        │ 1  function total(items) {
        │ … 7 more lines

      Plan 1/3
        ✓ Look at the project
        ▸ Fix the mistake
        · Run the tests

      ⠋ npm test  12 s · silent for 12 s · Esc cancels
      ⋯ and then say hello

      > state 4 at 50x24
      reference · 1 queued · Ask · Big Model        6 %"
    `);
    await resize(terminal, 80, 24);
    expect(frameOf(terminal.screen)).toBe(before);
  });

  test("of a tall frame to half its width leaves one frame", async () => {
    using terminal = await drawn(4, 200, 50);
    await resize(terminal, 60, 50);
    expect(terminal.everything.match(/> state/gu)).toHaveLength(1);
    expect(terminal.everything.match(/Run the tests {2}execute/gu)).toHaveLength(1);
    await resize(terminal, 200, 50);
    expect(terminal.everything.match(/> state/gu)).toHaveLength(1);
    for (let at = 5; at < 10; at += 1) await next(terminal, at);
    expect(terminal.everything.match(/> state/gu)).toHaveLength(1);
    expect(terminal.everything.match(/Edit src\/total.js/gu)).toHaveLength(1);
  });

  test("in every state keeps each item once", async () => {
    using terminal = await drawn(0, 80, 24);
    const sizes = [
      [60, 24],
      [60, 18],
      [100, 30],
      [70, 24],
      [200, 50],
      [80, 24],
      [79, 24],
      [78, 23],
      [80, 24],
    ] as const;
    for (const [at, [columns, rows]] of sizes.entries()) {
      await next(terminal, at + 1);
      await resize(terminal, columns, rows);
    }
    const { everything } = terminal;
    for (const pattern of [
      /❯ Fix the failing test/gu,
      /✻ The user/gu,
      /✗ Run the tests/gu,
      /✓ Edit/gu,
      /Done\./gu,
      /> state/gu,
    ]) {
      expect(everything.match(pattern), `${String(pattern)} in\n${everything}`).toHaveLength(1);
    }
    expect(everything).not.toMatch(/Plan 1\/3|⠋/u);
  });
});

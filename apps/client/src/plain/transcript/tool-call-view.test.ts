import { afterEach, beforeEach, expect, test, vi } from "vitest";

import type { ShownCall } from "../../protocol/shown.ts";
import { TerminalTail } from "../../protocol/terminal-tail.ts";
import { sampleCall } from "../../ui/view/testing/sample-states.ts";
import { Printer } from "./printer.ts";
import { ToolCallView } from "./tool-call-view.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const inTerminal = { kind: "execute", content: [{ kind: "terminal", terminalId: "t" }] } as const;

/** A call whose terminal prints; returns the lines below its heading. */
function shown(call: Partial<ShownCall>) {
  let written = "";
  const write = (text: string): boolean => {
    written += text;
    return true;
  };
  const tail = new TerminalTail("", () => {});
  const view = new ToolCallView(sampleCall("Run", call), {
    printer: new Printer({ write, once: () => {} }),
    style: (_, text) => text,
    cwd: "/project",
    width: () => Infinity,
    terminal: () => tail,
    claim: () => {},
  });
  const lines = (): string[] =>
    written
      .split("\n")
      .slice(1, -1)
      .map((line) => line.replace("  │ ", ""));
  return { tail, view, lines };
}

test("an unfinished line is shown after a pause, and later only its rest", () => {
  const { tail, lines } = shown(inTerminal);
  tail.push("Password: ");
  expect(lines()).toEqual([]);
  vi.runAllTimers();
  expect(lines()).toEqual(["Password:"]);
  tail.push("\nchecking… ");
  vi.runAllTimers();
  tail.push("right\nover\n");
  expect(lines()).toEqual(["Password:", "checking…", "right", "over"]);
});

test("a progress bar is shown once", () => {
  const { tail, lines } = shown(inTerminal);
  for (const state of ["1 %", "\r2 %", "\r3 %", "\r4 %\n"]) {
    tail.push(state);
    vi.runAllTimers();
  }
  expect(lines()).toEqual(["1 %", "4 %"]);
});

test("lines are shown as soon as they are complete, and of many the first and the last", () => {
  const { tail, view, lines } = shown(inTerminal);
  tail.push("on");
  expect(lines()).toEqual([]);
  tail.push("e\ntw");
  expect(lines()).toEqual(["one"]);
  tail.push("o\n");
  for (let at = 3; at <= 1_000; at += 1) tail.push(`line ${at}\n`);
  expect(lines()).toHaveLength(30);
  tail.push("the end");
  tail.end({ exitCode: 0 });
  view.update(sampleCall("Run", { ...inTerminal, status: "completed" }));
  expect(lines().slice(28)).toEqual([
    "line 29",
    "line 30",
    "… 961 more lines",
    ...Array.from({ length: 9 }, (_, at) => `line ${at + 992}`),
    "the end",
    "  ✓ completed  exit code 0",
  ]);
  tail.push(", and more\n");
  expect(lines().at(-1)).toBe(", and more");
});

const text = (value: string): Partial<ShownCall> => ({
  content: [{ kind: "content", content: { type: "text", text: value } }],
});

test("a text that grows goes on, and another one is shown again", () => {
  const { view, lines } = shown(text("one"));
  view.update(sampleCall("Run", text("one\ntw")));
  view.update(sampleCall("Run", text("one\ntwo\nthree")));
  expect(lines()).toEqual(["one", "two"]);
  view.update(sampleCall("Run", text("other")));
  expect(lines()).toEqual(["one", "two", "three"]);
  view.update(sampleCall("Run", { ...text("other"), status: "failed" }));
  expect(lines()).toEqual(["one", "two", "three", "other", "  ✗ failed"]);
});

import { diffRows, type Line, span, type TerminalExit, textOf } from "@acp/render";
import { describe, expect, test } from "vitest";

import type { CallItem } from "../../chat-state.ts";
import { sampleCall, sampleDiff } from "../../../../../../packages/render/src/testing/samples.ts";
import { sampleCallItem, start } from "../testing/sample-states.ts";
import { callView } from "./call-view.ts";
import type { Drawing } from "./drawing.ts";

const drawing: Drawing = { width: 60, cwd: "/project", thoughts: "folded", now: start + 5_000, spinner: "⠋" };

function show(item: CallItem, more: Partial<Drawing> = {}): string[] {
  return callView(item, { ...drawing, ...more }).map((line) => textOf(line).trimEnd());
}

function withTerminal(count: number, omitted: number, duration?: number): CallItem {
  const call = sampleCall("Run the tests", {
    kind: "execute",
    status: duration === undefined ? "in_progress" : "completed",
    content: [{ kind: "terminal", terminalId: "t" }],
  });
  const lines = Array.from({ length: count }, (_, at) => [span(`line ${omitted + at + 1}`)]);
  const terminals = new Map([["t", { command: "npm test", lines, omitted, exit: undefined }]]);
  return { ...sampleCallItem(1, call, duration), terminals };
}

describe("the heading", () => {
  test("has kind, locations, how it ended and how long it took", () => {
    const call = sampleCall("Read it", {
      kind: "read",
      status: "failed",
      locations: [{ path: "/project/src/a.ts", line: 3 }, { path: "/elsewhere/b" }],
      output: () => ({ exit: { exitCode: 2 } }),
    });
    expect(show(sampleCallItem(1, call, 1_234), { width: 100 })).toEqual([
      "✗ Read it  read · src/a.ts:3 · /elsewhere/b · exit code 2 · failed · 1.2 s",
    ]);
  });

  test("does not repeat the working directory, or a file that the title names", () => {
    const locations = [{ path: "/project" }, { path: "/project/src/a.ts", line: 1 }];
    const call = sampleCall("Read src/a.ts", { kind: "read", status: "completed", locations });
    expect(show(sampleCallItem(1, call, 10))).toEqual(["✓ Read src/a.ts  read"]);
    const elsewhere = {
      ...call,
      title: "Read",
      locations: [{ path: "/project2" }, { path: "/project/src/a.ts", line: 2 }],
    };
    expect(show(sampleCallItem(1, elsewhere, 10))).toEqual(["✓ Read  read · /project2 · src/a.ts:2"]);
  });

  test("has another mark if the agent completed its call, but the command failed", () => {
    const heading = (exit: TerminalExit, status = "completed"): unknown => {
      const call = sampleCall("Run", { status, output: () => ({ exit }) });
      return callView(sampleCallItem(1, call, 10), drawing)[0]?.map(({ text, formats }) => [text, ...formats]);
    };
    const title = ["Run", "bold"];
    expect(heading({ exitCode: 3 })).toEqual([["✗ ", "yellow"], title, ["  exit code 3", "dim"]]);
    expect(heading({ signal: "SIGKILL" })).toEqual([["✗ ", "yellow"], title, ["  ended by SIGKILL", "dim"]]);
    expect(heading({ exitCode: 0 })).toEqual([["✓ ", "green"], title]);
    expect(heading({ exitCode: 3 }, "failed")).toEqual([["✗ ", "red"], title, ["  exit code 3 · failed", "dim"]]);
  });

  test("escapes characters that could hide something", () => {
    const call = sampleCall("rm \u202Egnp.exe\r\u001B[2K", { commands: ["rm -rf /\u0008"] });
    expect(show(sampleCallItem(1, call))).toEqual([
      "⠋ rm <U+202E>gnp.exe<U+000D><U+001B>[2K  5 s",
      "  │ $ rm -rf /<U+0008>",
    ]);
  });

  test("is all there is while the user is asked about the call", () => {
    const item = sampleCallItem(1, sampleCall("Run", { commands: ["npm test"] }));
    expect(show(item, { askedCall: item.toolCallId, liveRows: 5 })).toEqual(["⠋ Run"]);
  });
});

describe("the output", () => {
  test("of a running terminal shows its last lines", () => {
    expect(show(withTerminal(20, 100), { liveRows: 4 })).toEqual([
      "⠋ Run the tests  execute · 5 s",
      "  │ $ npm test",
      "  │ … 118 lines before",
      "  │ line 119",
      "  │ line 120",
    ]);
  });

  test("of a terminal that has ended shows its beginning and its end", () => {
    const lines = show(withTerminal(40, 0, 300));
    expect(lines).toContain("  │ line 12");
    expect(lines).toContain("  │ … 20 more lines");
    expect(lines.at(-1)).toBe("  │ line 40");
  });

  test("is text without control characters, broken where the line ends", () => {
    const content = { kind: "content", content: { type: "text", text: `a\u001B[2Jb\n${"x".repeat(70)}` } } as const;
    const call = sampleCall("Look", { status: "completed", content: [content] });
    expect(show(sampleCallItem(1, call, 10))).toEqual([
      "✓ Look",
      "  │ ab",
      `  │ ${"x".repeat(56)}`,
      `  │ ${"x".repeat(14)}`,
    ]);
  });
});

describe("a change", () => {
  const before = Array.from({ length: 30 }, (_, at) => `line ${at + 1}`).join("\n");
  const after = before.replace("line 12", "line twelve").replace("line 25\n", "");
  const diff = sampleDiff("/project/a.ts", before, after);

  test("has the numbers of its lines, and a gap between its parts", () => {
    const call = sampleCall("Edit", { kind: "edit", status: "completed", content: [diff] });
    const lines = show(sampleCallItem(1, call, 10));
    expect(lines.slice(0, 8)).toEqual([
      "✓ Edit  edit",
      "  │ a.ts",
      "  │  9  line 9",
      "  │ 10  line 10",
      "  │ 11  line 11",
      "  │ 12 -line 12",
      "  │ 12 +line twelve",
      "  │ 13  line 13",
    ]);
    expect(lines).toContain("  │    ⋯");
    expect(lines).toContain("  │ 25 -line 25");
    expect(lines).toContain("  │ 25  line 26");
  });

  test("is green and red, and escapes characters that could hide something", () => {
    const spans = drawn(sampleDiff("/project/a.ts", "a\n", "a\u001B[8mhidden\n"), true).flat();
    expect(spans).toContainEqual({ text: "-a", formats: ["red"] });
    expect(spans).toContainEqual({ text: "<U+001B>", formats: ["green", "inverse"] });
  });

  test("is clipped, but not if the user is asked about it", () => {
    const long = sampleDiff("/project/a.ts", undefined, "new\n".repeat(200));
    expect(drawn(long, false).map(textOf)).toContain("    … 160 more added lines");
    expect(drawn(long, true)).toHaveLength(200);
  });

  function drawn(content: ReturnType<typeof sampleDiff>, isWhole: boolean): Line[] {
    return content.kind === "diff" ? diffRows(content, 60, isWhole) : [];
  }
});

describe("a call that reads or searches", () => {
  const output = { text: Array.from({ length: 50 }, (_, at) => `line ${at}`).join("\n") };
  const call = sampleCall("Read a very long name of a file that is somewhere in this project", {
    kind: "read",
    status: "completed",
    output: () => output,
  });

  test("takes one line in the scrollback, and all in the transcript", () => {
    expect(show(sampleCallItem(1, call, 10))).toEqual(["✓ Read a very long name of a file that is somewhere i…  read"]);
    expect(show(sampleCallItem(1, { ...call, kind: "search" }, 10))).toHaveLength(1);
    expect(show(sampleCallItem(1, call, 10), { isWhole: true }).length).toBeGreaterThan(5);
  });

  test("shows why it failed, and what other calls print", () => {
    expect(show(sampleCallItem(1, { ...call, status: "failed" }, 10)).length).toBeGreaterThan(5);
    expect(
      show(sampleCallItem(1, { ...call, output: () => ({ ...output, hasFailed: true }) }, 10)).length,
    ).toBeGreaterThan(5);
    expect(show(sampleCallItem(1, { ...call, kind: "execute" }, 10)).length).toBeGreaterThan(5);
  });
});

import { describeOutput } from "@acp/core/state";
import { expect, test } from "vitest";

import { endOf } from "./call-end.ts";
import type { ShownCall, ShownContent, TerminalExit } from "../shown.ts";

const terminal: ShownContent = { kind: "terminal", terminalId: "t" };

function ended(status: string, rawOutput?: unknown, exit?: TerminalExit): ReturnType<typeof endOf> {
  const call: Pick<ShownCall, "status" | "content" | "output"> = {
    status,
    content: exit === undefined ? [] : [terminal],
    output: () => describeOutput({ content: [], rawOutput }),
  };
  return endOf(call, (id) => (id === "t" ? exit : undefined));
}

test.each<[string, ReturnType<typeof ended>, object]>([
  ["nothing more", ended("completed"), { mark: "✓", hasFailed: false, note: "" }],
  ["exit code 0", ended("completed", { exitCode: 0 }), { mark: "✓", hasFailed: false, note: "exit code 0" }],
  ["exit code 1", ended("completed", { exitCode: 1 }), { mark: "✗", hasFailed: true, note: "exit code 1" }],
  ["a signal", ended("completed", { signal: "SIGTERM" }), { mark: "✗", hasFailed: true, note: "ended by SIGTERM" }],
  ["an error of MCP", ended("completed", { isError: true }), { mark: "✗", hasFailed: true, note: "failed" }],
  ["no success", ended("completed", { success: false }), { mark: "✗", hasFailed: true, note: "failed" }],
  ["a bad terminal", ended("completed", undefined, { exitCode: 2 }), { mark: "✗", hasFailed: true }],
  ["a good terminal", ended("completed", { exitCode: 1 }, { exitCode: 0 }), { mark: "✓", hasFailed: false }],
])("a completed call with %s", (_, end, expected) => {
  expect(end).toMatchObject({ status: "completed", ...expected });
});

test("a call that the agent calls failed or cancelled is that, and one that runs has no end", () => {
  expect(ended("failed", { exitCode: 0 })).toMatchObject({ mark: "✗", format: "red", hasFailed: true });
  expect(ended("cancelled", { exitCode: 1 })).toMatchObject({ mark: "■", hasFailed: false });
  for (const status of ["pending", "in_progress", "odd"]) expect(ended(status, { exitCode: 1 })).toBeUndefined();
});

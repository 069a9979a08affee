import type { Received } from "@acp/schema/v2/types";
import { expect, test } from "vitest";
import type { SessionState } from "./session-state.ts";
import { terminalBytes, terminalText } from "./terminals.ts";
import { call, stateAfter, stateOf, updates } from "./testing/updates.ts";
import type { TerminalItem } from "./timeline-items.ts";
import { isCancellable } from "./work.ts";

const base64 = (bytes: Uint8Array | string): string => Buffer.from(bytes as string).toString("base64");
const told = (rest: Omit<Received.TerminalUpdate, "terminalId">): Received.SessionUpdate => ({
  sessionUpdate: "terminal_update",
  terminalId: "t",
  ...rest,
});
const wrote = (bytes: Uint8Array | string): Received.SessionUpdate => ({
  sessionUpdate: "terminal_output_chunk",
  terminalId: "t",
  data: base64(bytes),
});
const terminal = (state: SessionState): TerminalItem => state.terminals.find("terminal", "t") ?? expect.fail();
const textAfter = (...list: readonly Received.SessionUpdate[]): string =>
  terminalText(terminal(stateOf(...list)).output);

test("a terminal has the output of the last update, followed by later chunks", () => {
  const whole = told({ output: { data: base64("whole ") } });
  expect(textAfter(wrote("a"), wrote("b"))).toBe("ab");
  expect(textAfter(wrote("a"), whole, wrote("b"))).toBe("whole b");
  expect(textAfter(wrote("a"), told({ command: "ls" }), wrote("b"))).toBe("ab");
  expect(textAfter(wrote("a"), told({ output: null }), wrote("b"))).toBe("b");
  expect(textAfter(wrote("a"), told({ output: { data: "" } }))).toBe("");
  expect(terminal(stateOf(wrote("a"), told({ output: null }))).output.length).toBe(0);
});

test("an update of a terminal keeps missing members, and clears null ones", () => {
  const rest = { command: "ls", cwd: "/a", size: { cols: 80, rows: 24 }, exitStatus: { exitCode: 1 } };
  const state = stateOf(told({ ...rest, capabilities: { cancel: {} } }), told({ command: "ls -a" }));
  expect(terminal(state)).toMatchObject({ ...rest, command: "ls -a" });
  const cleared = stateAfter(
    updates(told({ command: null, cwd: null, size: null, exitStatus: null, capabilities: null })),
    state,
  );
  expect(Object.keys(terminal(cleared)).toSorted()).toEqual(["output", "terminalId", "type"]);
});

test("terminals are not in the timeline, but shown by tool calls", () => {
  const state = stateOf(call({ content: [{ type: "terminal", terminalId: "t" }] }), wrote("a"));
  expect(state.timeline.length).toBe(1);
  expect(state.terminals.slice().map(({ terminalId }) => terminalId)).toEqual(["t"]);
});

test("a character split over two chunks is decoded as one", () => {
  const bytes = Buffer.from("a→b");
  expect(textAfter(wrote(bytes.subarray(0, 2)), wrote(bytes.subarray(2, 3)), wrote(bytes.subarray(3)))).toBe("a→b");
});

test("bytes are decoded unchanged, and invalid base64 is dropped", () => {
  const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  const output = terminal(stateOf(wrote(all.subarray(0, 100)), wrote(all.subarray(100)))).output;
  expect(terminalBytes(output)).toEqual(all);
  expect(terminalBytes(output.slice(1))).toEqual(all.slice(100));
  expect(terminalBytes(["?", base64("a"), "a"])).toEqual(new Uint8Array([97]));
});

test("a running terminal can be cancelled if the agent offers that", () => {
  expect(isCancellable(terminal(stateOf(told({}))))).toBe(false);
  expect(isCancellable(terminal(stateOf(told({ capabilities: { cancel: null } }))))).toBe(false);
  const running = stateOf(told({ capabilities: { cancel: {} } }));
  expect(isCancellable(terminal(running))).toBe(true);
  const exited = stateAfter(updates(told({ exitStatus: { exitCode: 0 } })), running);
  expect(isCancellable(terminal(exited))).toBe(false);
  expect(isCancellable(terminal(stateAfter([{ type: "closed" }], running)))).toBe(false);
});

import type { Received } from "@acp/schema/v2/types";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Cancellables } from "./cancellables.ts";
import { reduceSession } from "../../state/v2/reduce-session.ts";
import { initialState, type SessionState } from "../../state/v2/session-state.ts";
import { isCancellable } from "../../state/v2/work.ts";

const call = (more: object): Received.SessionUpdate => ({
  sessionUpdate: "tool_call_update",
  toolCallId: "c",
  ...more,
});
const terminal = (more: object): Received.SessionUpdate => ({
  sessionUpdate: "terminal_update",
  terminalId: "t",
  ...more,
});

const capabilities = fc.constantFrom({ cancel: {} }, { cancel: null }, {}, null);
const status = fc.constantFrom("pending", "in_progress", "completed", "failed", "cancelled", null);
const exitStatus = fc.constantFrom({ exitCode: 0 }, null);
// The end of an item without such capabilities is not remembered: an agent that reports capabilities reports the end, too.
const update = fc.oneof(
  fc.record({ status }).map(call),
  fc.record({ status, capabilities }).map(call),
  fc.record({ exitStatus }).map(terminal),
  fc.record({ exitStatus, capabilities }).map(terminal),
  fc.constantFrom(call({ title: "Title" }), terminal({ command: "ls" })),
);

test("exactly the calls that the state shows as cancellable can be cancelled", () => {
  fc.assert(
    fc.property(fc.array(update, { maxLength: 12 }), (updates) => {
      const cancellables = new Cancellables();
      let state: SessionState = initialState();
      for (const one of updates) {
        state = reduceSession(state, { type: "update", update: one });
        if (one.sessionUpdate === "tool_call_update" || one.sessionUpdate === "terminal_update")
          cancellables.receive(one);
        const shownCall = state.timeline.find("tool_call", "c");
        const shownTerminal = state.terminals.slice().find(({ terminalId }) => terminalId === "t");
        expect(cancellables.get("call", "c") !== undefined).toBe(shownCall !== undefined && isCancellable(shownCall));
        expect(cancellables.get("terminal", "t") !== undefined).toBe(
          shownTerminal !== undefined && isCancellable(shownTerminal),
        );
      }
    }),
  );
});

test("a retry has its own signal", () => {
  const cancellables = new Cancellables();
  const receive = (more: object): void => cancellables.receive(call(more) as Parameters<Cancellables["receive"]>[0]);
  receive({ status: "in_progress", capabilities: { cancel: {} } });
  const first = cancellables.get("call", "c");
  receive({ status: "completed" });
  expect(cancellables.get("call", "c")).toBeUndefined();
  receive({ title: "Once more" });
  expect(cancellables.get("call", "c")).toBeUndefined();
  receive({ status: "in_progress" });
  expect(cancellables.get("call", "c")).toBeDefined();
  expect(cancellables.get("call", "c")).not.toBe(first);
});

test("remembers 10,000 of them", () => {
  const cancellables = new Cancellables();
  const report = (id: number): void =>
    cancellables.receive({ sessionUpdate: "tool_call_update", toolCallId: String(id), capabilities: { cancel: {} } });
  for (let id = 0; id < 10_001; id++) report(id);
  expect([cancellables.get("call", "9999"), cancellables.get("call", "10000")]).toEqual([expect.anything(), undefined]);
  cancellables.receive({ sessionUpdate: "tool_call_update", toolCallId: "0", capabilities: null });
  report(10_000);
  expect(cancellables.get("call", "10000")).toBeDefined();
});

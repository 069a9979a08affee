import type { Received } from "@acp/schema/v1/types";
import { describe, expect, test } from "vitest";

import type { SessionState } from "./session-state.ts";
import { terminalText } from "./terminals.ts";
import { stateAfter, updates } from "./testing/updates.ts";
import type { TerminalItem } from "./timeline-items.ts";

const started = (meta: object, content: object[] = [{ type: "terminal", terminalId: "t" }]): Received.SessionUpdate =>
  ({ sessionUpdate: "tool_call", toolCallId: "c", title: "Run", content, _meta: meta }) as Received.SessionUpdate;
const changed = (meta: object): Received.SessionUpdate =>
  ({ sessionUpdate: "tool_call_update", toolCallId: "c", _meta: meta }) as Received.SessionUpdate;
const info = { terminal_info: { terminal_id: "t", cwd: "/p" } };
const output = (data: string, name = "terminal_output"): object => ({ [name]: { terminal_id: "t", data } });
const exit = { terminal_exit: { terminal_id: "t", exit_code: 0, signal: null } };

const stateOf = (...list: readonly Received.SessionUpdate[]): SessionState => stateAfter(updates(...list));

const terminal = ({ terminals }: SessionState, id = "t"): TerminalItem =>
  terminals.find("terminal", id) ?? expect.fail();

describe("a terminal of the agent's own", () => {
  test.each(["terminal_output", "terminal_output_delta"])("has its text and its exit, with %s", (name) => {
    const state = stateOf(started(info), changed(output("hel", name)), changed(output("lo\n", name)), changed(exit));
    expect(terminal(state)).toMatchObject({ toolCallId: "c", cwd: "/p", exitStatus: { exitCode: 0, signal: null } });
    expect(terminalText(terminal(state).output)).toBe("hello\n");
  });

  test("may have all in one update, as claude-agent-acp does, and no information before it", () => {
    const state = stateOf(started({}), changed({ ...output("hello"), ...exit }));
    expect(terminalText(terminal(state).output)).toBe("hello");
    expect(terminal(state).exitStatus).toEqual({ exitCode: 0, signal: null });
  });

  test("takes a chunk under both names once", () => {
    const state = stateOf(started(info), changed({ ...output("x"), ...output("x", "terminal_output_delta") }));
    expect(terminalText(terminal(state).output)).toBe("x");
  });

  test("is that of the call if it has no id, and belongs to the call even if its content does not name it", () => {
    const state = stateOf(started({}, []), changed({ terminal_output_delta: { data: "x" } }));
    expect(terminal(state, "c")).toMatchObject({ toolCallId: "c" });
  });

  test("may be ended by a signal", () => {
    const state = stateOf(started(info), changed({ terminal_exit: { terminal_id: "t", signal: "SIGKILL" } }));
    expect(terminal(state).exitStatus).toEqual({ exitCode: null, signal: "SIGKILL" });
  });

  test("leaves other custom data of the call as they were, and the call itself while it prints", () => {
    const before = stateOf(started({ ...info, own: 1 }));
    const call = before.timeline.find("tool_call", "c");
    expect(call?._meta).toEqual({ own: 1 });
    const after = stateOf(started({ ...info, own: 1 }), changed(output("x")));
    expect(after.timeline.find("tool_call", "c")).toEqual(call);
  });

  test.each([null, 1, "x", { terminal_id: "t" }, { terminal_id: "t", data: 1 }])(
    "ignores output that is %j",
    (value) => {
      expect(stateOf(started({ terminal_output: value })).terminals.length).toBe(0);
    },
  );

  test("is not made of custom data of other updates, or of a call without any", () => {
    expect(stateOf(started({})).terminals.length).toBe(0);
  });
});

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

describe("a terminal that the agent runs itself", () => {
  test.each(["terminal_output", "terminal_output_delta"])("has output and exit status from %s", (name) => {
    const state = stateOf(started(info), changed(output("hel", name)), changed(output("lo\n", name)), changed(exit));
    expect(terminal(state)).toMatchObject({ toolCallId: "c", cwd: "/p", exitStatus: { exitCode: 0, signal: null } });
    expect(terminalText(terminal(state).output)).toBe("hello\n");
  });

  test("accepts everything in one update, as claude-agent-acp sends it, without information before", () => {
    const state = stateOf(started({}), changed({ ...output("hello"), ...exit }));
    expect(terminalText(terminal(state).output)).toBe("hello");
    expect(terminal(state).exitStatus).toEqual({ exitCode: 0, signal: null });
  });

  test("takes a chunk with both names once", () => {
    const state = stateOf(started(info), changed({ ...output("x"), ...output("x", "terminal_output_delta") }));
    expect(terminalText(terminal(state).output)).toBe("x");
  });

  test("belongs to the call if it has no id, even if the content does not name it", () => {
    const state = stateOf(started({}, []), changed({ terminal_output_delta: { data: "x" } }));
    expect(terminal(state, "c")).toMatchObject({ toolCallId: "c" });
  });

  test("accepts a signal as its end", () => {
    const state = stateOf(started(info), changed({ terminal_exit: { terminal_id: "t", signal: "SIGKILL" } }));
    expect(terminal(state).exitStatus).toEqual({ exitCode: null, signal: "SIGKILL" });
  });

  test("keeps other _meta of the call, and the call object while it prints", () => {
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

  test("ignores _meta of other updates, and calls without _meta", () => {
    expect(stateOf(started({})).terminals.length).toBe(0);
  });
});

// A command of the agent's own, shown as a terminal to clients that take that, and as text to others.
import { describe, expect, it } from "vitest";
import { createAgent, createClient } from "../../src/v1/index.ts";
import { reportTerminal } from "../../src/kit/v1/entry.ts";
import { createSessionState, terminalText } from "../../src/state/v1/entry.ts";
import { createMemoryTransportPair } from "../../src/transport/memory-transport.ts";

const info = { name: "test", version: "1" };

/** Runs a turn that shows a command, and returns its updates and the state of the session. */
async function shownTo(meta: { [key: string]: unknown }, hasCall = false) {
  const agent = createAgent({
    info,
    handlers: {
      "session/new": () => ({ sessionId: "s" }),
      "session/prompt": async (_, { turn }) => {
        const newCall = { title: "npm test", toolCallId: "c" } as const;
        const shown = hasCall ? { call: await turn.toolCall({ ...newCall, status: "pending" }) } : newCall;
        const terminal = await reportTerminal(turn, shown);
        const bytes = new TextEncoder().encode("hé");
        // Cut within a character.
        await terminal.output(bytes.slice(0, 2));
        await terminal.output(bytes.slice(2));
        await terminal.output("llo\n");
        await terminal.exited({ exitCode: 0 });
        await terminal.call.complete();
        return { stopReason: "end_turn" };
      },
    },
  });
  const [near, far] = createMemoryTransportPair();
  agent.connect(far);
  const connected = await createClient({ info, capabilities: { _meta: meta } }).connect(near);
  const session = await connected.newSession({ cwd: "/project" });
  const store = createSessionState(session);
  const updates: object[] = [];
  session.observe((event) => {
    if (event.type === "update") updates.push(event.update);
  });
  await session.prompt("go").response;
  await connected.close();
  return { updates, state: store.state };
}

describe("reportTerminal()", () => {
  it.each(["terminal_output", "terminal_output_delta"])(
    "shows a terminal to a client that advertises %s",
    async (name) => {
      const { updates, state } = await shownTo({ [name]: true });
      expect(updates).toMatchObject([
        {
          sessionUpdate: "tool_call",
          kind: "execute",
          status: "in_progress",
          content: [{ type: "terminal", terminalId: "c" }],
          _meta: { terminal_info: { terminal_id: "c", cwd: "/project" } },
        },
        { _meta: { [name]: { terminal_id: "c", data: "h" } } },
        { _meta: { [name]: { terminal_id: "c", data: "é" } } },
        { _meta: { [name]: { terminal_id: "c", data: "llo\n" } } },
        { _meta: { terminal_exit: { terminal_id: "c", exit_code: 0, signal: null } } },
        { status: "completed" },
      ]);
      const terminal = state.terminals.find("terminal", "c");
      expect(terminal && terminalText(terminal.output)).toBe("héllo\n");
      expect(terminal?.exitStatus?.exitCode).toBe(0);
    },
  );

  it("shows the terminal in a call that was reported already", async () => {
    const { updates, state } = await shownTo({ terminal_output: true }, true);
    expect(updates.slice(0, 2)).toMatchObject([
      { sessionUpdate: "tool_call", status: "pending" },
      {
        sessionUpdate: "tool_call_update",
        status: "in_progress",
        content: [{ type: "terminal", terminalId: "c" }],
        _meta: { terminal_info: { terminal_id: "c" } },
      },
    ]);
    const terminal = state.terminals.find("terminal", "c");
    expect(terminal && terminalText(terminal.output)).toBe("héllo\n");
  });

  it("sends the text in a call that was reported already", async () => {
    const { state } = await shownTo({}, true);
    expect(state.timeline.find("tool_call", "c")).toMatchObject({
      status: "completed",
      content: [{ type: "content" }],
    });
  });

  it.each([{}, { terminal_output: "yes" }, { terminal_output: false }])(
    "sends text to a client with %j",
    async (meta) => {
      const { updates, state } = await shownTo(meta);
      expect(JSON.stringify(updates)).not.toContain("terminal");
      expect(state.timeline.find("tool_call", "c")).toMatchObject({
        status: "completed",
        content: [{ type: "content", content: { type: "text", text: "héllo\n" } }],
      });
    },
  );
});

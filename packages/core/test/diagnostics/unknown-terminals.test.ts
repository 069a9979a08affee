// A terminal in a tool call that nobody has made, and that the agent tells nothing of.
import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../src/base/diagnostics.ts";
import { answer, connectRawAgent } from "../support/raw-agent.ts";

const shows = (terminalId: string, more: object = {}): object => ({
  sessionUpdate: "tool_call",
  toolCallId: "c",
  title: "Run",
  content: [{ type: "terminal", terminalId }],
  ...more,
});
const change = (more: object): object => ({ sessionUpdate: "tool_call_update", toolCallId: "c", ...more });

/** The rules that are broken by these updates of a turn, in which the agent first asks for a terminal `made`. */
async function brokenBy(updates: readonly object[], endsTurn = true): Promise<Diagnostic[]> {
  const diagnostics: Diagnostic[] = [];
  const { peer, agent } = await connectRawAgent({
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    handlers: {
      "session/update": () => {},
      "terminal/create": () => Promise.resolve({ terminalId: "made" }),
      "terminal/output": () => ({ output: "", truncated: false }),
      "terminal/release": () => ({}),
      "terminal/wait_for_exit": () => ({}),
      "terminal/kill": () => ({}),
    },
  });
  const opening = agent.newSession({ cwd: "/project" });
  await answer(peer, "session/new", { result: { sessionId: "s" } });
  const session = await opening;
  const turn = session.prompt("Hello");
  const prompt = await peer.next(({ method }) => method === "session/prompt");
  peer.send({ jsonrpc: "2.0", id: "t1", method: "terminal/create", params: { sessionId: "s", command: "ls" } });
  await peer.next(({ id }) => id === "t1");
  for (const update of updates) {
    peer.send({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update } });
  }
  if (endsTurn) {
    peer.send({ jsonrpc: "2.0", id: prompt["id"], result: { stopReason: "end_turn" } });
    await turn.response;
  }
  await peer.settle();
  return diagnostics.filter(({ type }) => type === "rule");
}

describe("a terminal that a tool call shows", () => {
  it.each<[string, readonly object[]]>([
    ["this client has made", [shows("made"), change({ status: "completed" })]],
    [
      "the agent tells of",
      [shows("t", { _meta: { terminal_info: { terminal_id: "t" } } }), change({ status: "completed" })],
    ],
    ["the agent tells of later", [shows("t"), change({ _meta: { terminal_output: { terminal_id: "t", data: "x" } } })]],
    [
      "the agent tells of at the end",
      [shows("t"), change({ status: "failed", _meta: { terminal_exit: { terminal_id: "t" } } })],
    ],
  ])("is right if %s", async (_, updates) => {
    expect(await brokenBy(updates)).toEqual([]);
  });

  it.each<[string, readonly object[], boolean]>([
    ["its call is over", [shows("t"), change({ status: "completed" })], false],
    ["the turn is over", [shows("t"), shows("t")], true],
    ["a call that is over begins to show it", [shows("t", { status: "failed" })], false],
  ])("is reported once if nobody has made it, when %s", async (_, updates, endsTurn) => {
    const broken = await brokenBy(updates, endsTurn);
    expect(broken).toMatchObject([{ rule: "TOOL-11", sessionId: "s", level: "warning" }]);
  });

  it("is not reported of a history, in which terminals are long gone", async () => {
    const diagnostics: Diagnostic[] = [];
    const { peer, agent } = await connectRawAgent({
      onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
      handlers: { "session/update": () => {} },
    });
    const loading = agent.loadSession({ sessionId: "s", cwd: "/project" });
    const update = shows("t", { status: "completed" });
    peer.send({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update } });
    await answer(peer, "session/load", { result: {} });
    await loading;
    await peer.settle();
    expect(diagnostics).toEqual([]);
  });
});

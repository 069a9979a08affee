// Members of an answer or an update that the protocol does not know there: nothing in them is what it seems.
import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../src/base/diagnostics.ts";
import { answer, type Connected, connectRawAgent } from "../support/raw-agent.ts";
import type { ClientSession } from "../../src/v1/client-session.ts";

interface Open extends Connected {
  readonly session: ClientSession;
  readonly diagnostics: readonly Diagnostic[];
}

async function open(setup: object = {}): Promise<Open> {
  const diagnostics: Diagnostic[] = [];
  const connected = await connectRawAgent({ onDiagnostic: (diagnostic) => diagnostics.push(diagnostic) });
  const opening = connected.agent.newSession({ cwd: "/project" });
  await answer(connected.peer, "session/new", { result: { sessionId: "s", ...setup } });
  return { ...connected, session: await opening, diagnostics };
}

const strange: readonly object[] = [
  { configOptions: [null] },
  { configOptions: [{ type: "select", options: [null] }] },
  { configOptions: [{ type: "select", options: [{ options: null }] }] },
  { configOptions: "all" },
  { modes: { availableModes: [null], currentModeId: "a" } },
  { modes: { availableModes: {}, currentModeId: "a" } },
  { modes: 1, currentModeId: {} },
];

describe("an answer with members that belong elsewhere", () => {
  it.each(strange)("is taken as it is without them: %j", async (members) => {
    const { peer, session, agent, diagnostics } = await open();
    const turn = session.prompt("Hello");
    await answer(peer, "session/prompt", { result: { stopReason: "end_turn", ...members } });
    expect(await turn.response).toMatchObject({ stopReason: "end_turn" });
    const calling = agent.request("_own/method", {});
    await answer(peer, "_own/method", { result: members });
    expect(await calling).toEqual(members);
    expect(diagnostics).toEqual([]);
  });

  it.each(strange)("does not lose an update either: %j", async (members) => {
    const { peer, session, diagnostics } = await open();
    const seen: unknown[] = [];
    const { updates } = session;
    void (async () => {
      for await (const update of updates) seen.push(update.sessionUpdate);
    })();
    const content = { type: "text", text: "a" };
    const update = { sessionUpdate: "agent_message_chunk", content, ...members };
    peer.send({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update } });
    await peer.settle();
    expect(seen).toEqual(["agent_message_chunk"]);
    expect(diagnostics).toEqual([]);
  });
});

it("opens a session whose option values have members that nobody knows", async () => {
  const value = { value: "a", name: "A", options: null };
  const option = { type: "select", id: "o", name: "O", currentValue: "a", options: [value] };
  const { session, diagnostics } = await open({ configOptions: [option] });
  expect(session.configOptions).toMatchObject([{ id: "o", currentValue: "a" }]);
  expect(diagnostics).toEqual([]);
});

// What a client asks of a session while its agent still opens it: in one piece with the call that opens it, for example.
import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../src/base/diagnostics.ts";
import { createRawPeer } from "../support/raw-peer.ts";
import { createAgent } from "../../src/v1/agent.ts";
import type { AgentSession } from "../../src/v1/agent-session.ts";
import type { OverlappingPrompts } from "../../src/session/agent/agent-options.ts";

interface Opening {
  readonly session: AgentSession<unknown>;
  finish(): void;
  fail(error: Error): void;
}

/** An agent that has a session opened when the test says so; `log` has its answers, by method, and what it says. */
async function connect(overlappingPrompts?: OverlappingPrompts) {
  const diagnostics: Diagnostic[] = [];
  const openings: Opening[] = [];
  const states: unknown[] = [];
  const saved: unknown[] = [];
  const agent = createAgent({
    info: { name: "test", version: "1" },
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    session: () => ({ turns: 0 }),
    overlappingPrompts,
    onUpdate: ({ sessionUpdate }) => saved.push(sessionUpdate),
    handlers: {
      "session/load": (_params, { session }) =>
        new Promise<void>((finish, fail) => openings.push({ session, finish, fail })),
      "session/close": () => {},
      "session/set_mode": (_params, { session }) => void states.push(session.state),
      "session/prompt": async (_params, { session, turn }) => {
        states.push(session.state);
        await turn.message("said");
        return { stopReason: "end_turn" };
      },
    },
  });
  const peer = createRawPeer((transport) => agent.connect(transport));
  await peer.call("initialize", { protocolVersion: 1 });
  const send = (method: string, more: object = {}, id: string | undefined = method): void =>
    peer.send({ jsonrpc: "2.0", id, method, params: { sessionId: "s", ...more } });
  const tell = (method: string, params: object): void => peer.send({ jsonrpc: "2.0", method, params });
  const load = (id?: string): void => send("session/load", { cwd: "/", mcpServers: [] }, id);
  const prompt = (id?: string): void => send("session/prompt", { prompt: [] }, id);
  const log = (): unknown[] =>
    peer.received.slice(1).map(({ id, result, error, params }) => {
      const { sessionUpdate } = (params as { update: { sessionUpdate: string } } | undefined)?.update ?? {};
      const { stopReason = "done" } = (result ?? {}) as { stopReason?: string };
      return sessionUpdate ?? `${String(id)}: ${(error as { code: number } | undefined)?.code ?? stopReason}`;
    });
  return { peer, diagnostics, openings, states, saved, send, tell, load, prompt, log };
}

describe("a prompt, and a mode, for a session that is being opened", () => {
  it("wait for its state and follow its history, without joining it", async () => {
    const { peer, diagnostics, openings, states, saved, send, load, prompt, log } = await connect();
    load();
    send("session/set_mode", { modeId: "m" });
    prompt();
    await peer.settle();
    await openings[0]?.session.update({ sessionUpdate: "session_info_update", title: "Replayed" });
    openings[0]?.finish();
    await peer.settle();
    const [before, ...behind] = log();
    expect([before, behind[0]]).toEqual(["session_info_update", "session/load: done"]);
    expect(new Set(behind.slice(1))).toEqual(
      new Set(["agent_message_chunk", "session/prompt: end_turn", "session/set_mode: done"]),
    );
    expect(states).toEqual([{ turns: 0 }, { turns: 0 }]);
    expect(saved).toEqual(["agent_message_chunk"]);
    expect(diagnostics).toEqual([]);
  });

  it.each<[OverlappingPrompts, string, string]>([
    ["replace", "cancelled", "end_turn"],
    ["queue", "end_turn", "end_turn"],
    ["refuse", "end_turn", "-32600"],
  ])("that overlap then are as ever: %s", async (mode, first, second) => {
    const { peer, openings, load, prompt, log } = await connect(mode);
    load();
    prompt("one");
    prompt("two");
    await peer.settle();
    openings[0]?.finish();
    await peer.settle();
    const answers = log().filter((entry) => /^(?:one|two):/u.test(String(entry)));
    expect(new Set(answers)).toEqual(new Set([`one: ${first}`, `two: ${second}`]));
  });

  it("are refused where it cannot be opened", async () => {
    const { peer, openings, states, send, load, prompt, log } = await connect();
    load();
    send("session/set_mode", { modeId: "m" });
    prompt();
    await peer.settle();
    openings[0]?.fail(new Error("gone"));
    await peer.settle();
    expect(new Set(log())).toEqual(
      new Set(["session/load: -32603", "session/prompt: -32002", "session/set_mode: -32002"]),
    );
    expect(states).toEqual([]);
  });

  it.each<[string, (connected: Awaited<ReturnType<typeof connect>>) => void, string]>([
    ["it is cancelled", ({ tell }) => tell("session/cancel", { sessionId: "s" }), "cancelled"],
    ["it is closed", ({ send }) => send("session/close"), "cancelled"],
    ["it is opened again", ({ load }) => load("again"), "cancelled"],
    ["the prompt is taken back", ({ tell }) => tell("$/cancel_request", { requestId: "prompt" }), "-32800"],
  ])("are over when %s", async (_when, end, answer) => {
    const connected = await connect();
    const { peer, diagnostics, openings, states, load, prompt, log } = connected;
    load("first");
    prompt("prompt");
    await peer.settle();
    end(connected);
    await peer.settle();
    for (const { finish } of openings) finish();
    await peer.settle();
    expect(log().filter((entry) => String(entry).startsWith("prompt"))).toEqual([`prompt: ${answer}`]);
    expect(states).toEqual([]);
    expect(diagnostics).toEqual([]);
  });
});

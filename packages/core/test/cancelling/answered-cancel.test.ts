// What a client makes of an agent's answer to a prompt that was cancelled, if it is not `cancelled`.
import { describe, expect, it } from "vitest";
import { connect, openSession } from "../support/connected-client.ts";
import { openRawSession } from "../support/raw-agent-v2.ts";

describe("an agent's error as the answer of a prompt", () => {
  it.each([
    ["-32800", -32800, "cancelled"],
    ["-32000", -32000, "cancelled"],
    ["another one", -32603, undefined],
  ])("%s, after the cancel", async (_what, code, stopReason) => {
    const connected = await connect();
    const { peer } = connected;
    const session = await openSession(connected);
    const turn = session.prompt("Hello");
    const { id } = await peer.next(({ method }) => method === "session/prompt");
    turn.cancel();
    peer.send({ jsonrpc: "2.0", id, error: { code, message: "No" } });
    if (stopReason === undefined) await expect(turn.response).rejects.toMatchObject({ wire: { code } });
    else expect(await turn.response).toEqual({ stopReason });
  });

  it("without a cancel fails the turn, with any content", async () => {
    const connected = await connect();
    const { peer } = connected;
    const session = await openSession(connected);
    const turn = session.prompt("Hello");
    const { id } = await peer.next(({ method }) => method === "session/prompt");
    peer.send({ jsonrpc: "2.0", id, error: { code: -32800, message: "No" } });
    await expect(turn.response).rejects.toMatchObject({ wire: { code: -32800 } });
  });
});

describe("another stop reason as the end of a turn that was cancelled", () => {
  it.each(["end_turn", "max_tokens", "refusal"])("passes on %s, and reports nothing", async (stopReason) => {
    const connected = await connect();
    const { peer, diagnostics } = connected;
    const session = await openSession(connected);
    const turn = session.prompt("Hello");
    const { id } = await peer.next(({ method }) => method === "session/prompt");
    turn.cancel();
    peer.send({ jsonrpc: "2.0", id, result: { stopReason } });
    expect(await turn.response).toEqual({ stopReason });
    expect(diagnostics).toEqual([]);
  });

  it("passes on end_turn in version 2 as well", async () => {
    const { session, answer, state, diagnostics } = await openRawSession();
    const turn = session.prompt("Hello");
    await answer("session/prompt", { result: { messageId: "p" } });
    state("running");
    await turn.accepted;
    turn.cancel();
    state("idle", { stopReason: "end_turn" });
    expect(await turn.finished).toMatchObject({ stopReason: "end_turn" });
    expect(diagnostics.filter(({ type }) => type !== "unobserved-updates")).toEqual([]);
  });
});

import { describe, expect, it } from "vitest";
import { RequestError } from "../v1/index.ts";
import { accept, openRawSession } from "../../test/support/raw-agent-v2.ts";

describe("a turn whose session is opened again", () => {
  it("fails: updates belong to the other one", async () => {
    const raw = await openRawSession();
    const turn = raw.session.prompt("hello");
    await accept(raw);
    raw.state("running");
    await turn.accepted;
    const resuming = raw.agent.resumeSession({ sessionId: "s", cwd: "/" });
    await raw.peer
      .next(({ method }) => method === "session/resume")
      .then(({ id }) => {
        raw.state("running");
        raw.peer.send({ jsonrpc: "2.0", id, result: {} });
      });
    const again = await resuming;
    expect(again).toMatchObject({ state: "running" });
    expect(again).not.toBe(raw.session);
    await expect(turn.finished).rejects.toMatchObject({ name: "AbortError" });
    expect(raw.session.signal.aborted).toBe(true);
  });

  it("continues if that fails, and ends with updates from meanwhile", async () => {
    const raw = await openRawSession();
    const turn = raw.session.prompt("hello");
    await accept(raw);
    raw.state("running");
    await turn.accepted;
    const resuming = raw.agent.resumeSession({ sessionId: "s", cwd: "/" });
    await raw.peer
      .next(({ method }) => method === "session/resume")
      .then(({ id }) => {
        raw.state("idle", { stopReason: "end_turn" });
        raw.peer.send({ jsonrpc: "2.0", id, error: { code: -32603, message: "no" } });
      });
    const heard: unknown[] = [];
    raw.session.observe((event) => heard.push(event.type === "update" ? event.update : event.type));
    await expect(resuming).rejects.toBeInstanceOf(RequestError);
    expect(await turn.finished).toMatchObject({ stopReason: "end_turn" });
    expect(raw.session.state).toBe("idle");
    expect(heard).toContainEqual({ sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" });
    expect(raw.session.signal.aborted).toBe(false);
    expect(raw.agent.session("s")).toBe(raw.session);
  });

  it("continues if reopening fails, and then finishes with a state that follows the error and waits for a handler", async () => {
    const soon = () => new Promise<void>((resolve) => setTimeout(resolve, 1));
    const raw = await openRawSession({ handlers: { "session/update": soon } });
    const turn = raw.session.prompt("hello");
    await accept(raw);
    const resuming = raw.agent.resumeSession({ sessionId: "s", cwd: "/" });
    const { id } = await raw.peer.next(({ method }) => method === "session/resume");
    raw.state("running");
    raw.peer.send({ jsonrpc: "2.0", id, error: { code: -32603, message: "no" } });
    raw.state("idle", { stopReason: "cancelled" });
    await expect(resuming).rejects.toBeInstanceOf(RequestError);
    expect(await turn.finished).toMatchObject({ stopReason: "cancelled" });
    expect(raw.session.state).toBe("idle");
  });
});

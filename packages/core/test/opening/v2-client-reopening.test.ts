// What a client does with the turns of a session that is being opened again, and that goes on if that fails.
import { expect, test } from "vitest";
import { RequestError } from "../../src/v1/index.ts";
import { openRawSession, type RawSession } from "../support/raw-agent-v2.ts";
import type { Turn } from "../../src/v2/turn.ts";

interface Reopening extends RawSession {
  readonly turns: readonly Turn[];
  /** Answers that the session cannot be opened again. */
  refuse(): Promise<void>;
}

/** A session with two turns, the second one sent while the session is being opened again; both run. */
async function reopening(): Promise<Reopening> {
  const raw = await openRawSession();
  const first = raw.session.prompt("one");
  await raw.answer("session/prompt", { result: { messageId: "1" } });
  raw.state("running");
  const opening = raw.agent.resumeSession({ sessionId: "s", cwd: "/" });
  const { id } = await raw.peer.next(({ method }) => method === "session/resume");
  const second = raw.session.prompt("two");
  await raw.answer("session/prompt", { result: { messageId: "2" } });
  raw.state("running");
  const refuse = async (): Promise<void> => {
    raw.peer.send({ jsonrpc: "2.0", id, error: { code: -32603, message: "no" } });
    await expect(opening).rejects.toBeInstanceOf(RequestError);
  };
  return { ...raw, turns: [first, second], refuse };
}

const cancelled = { state: "idle", stopReason: "cancelled" };

test("a cancel applies to all turns sent before it, and observers of the session receive it", async () => {
  const { session, turns, refuse, state, peer } = await reopening();
  const events: string[] = [];
  session.observe(({ type }) => events.push(type));
  turns[0]?.cancel();
  await peer.settle();
  expect(events.filter((type) => type === "cancelled")).toHaveLength(1);
  state("idle", { stopReason: "cancelled" });
  await refuse();
  for (const turn of turns) expect(await turn.finished).toMatchObject(cancelled);
});

test("updates for a session that cannot be resumed go to the session that continues", async () => {
  const { peer, agent, session, diagnostics, update } = await openRawSession();
  const seen: unknown[] = [];
  session.observe((event) => {
    if (event.type === "update") seen.push(event.update.sessionUpdate);
  });
  const resuming = agent.resumeSession({ sessionId: "s", cwd: "/project" });
  const { id } = await peer.next(({ method }) => method === "session/resume");
  update({ sessionUpdate: "state_update", state: "running" });
  update({ sessionUpdate: "agent_message", messageId: "m", content: [] });
  peer.send({ jsonrpc: "2.0", id, error: { code: -32603, message: "no" } });
  await expect(resuming).rejects.toThrow("no");
  update({ sessionUpdate: "state_update", state: "idle" });
  await peer.settle();
  expect(seen).toEqual(["state_update", "agent_message", "state_update"]);
  expect(session.state).toBe("idle");
  expect(diagnostics).toEqual([]);
});

test("updates of a session that fails to open are reported if nobody received them", async () => {
  const { peer, agent, diagnostics } = await openRawSession();
  const resuming = agent.resumeSession({ sessionId: "other", cwd: "/project" });
  const { id } = await peer.next(({ method }) => method === "session/resume");
  const params = { sessionId: "other", update: { sessionUpdate: "agent_message", messageId: "m", content: [] } };
  peer.send({ jsonrpc: "2.0", method: "session/update", params });
  peer.send({ jsonrpc: "2.0", id, error: { code: -32603, message: "no" } });
  await expect(resuming).rejects.toThrow("no");
  expect(diagnostics).toMatchObject([{ type: "unclaimed-session", sessionId: "other", received: [params] }]);
});

test.each(["before", "behind"])("a close that is answered %s the error cancels them", async (when) => {
  const { session, turns, refuse, answer } = await reopening();
  const closing = session.close();
  if (when === "behind") await refuse();
  await answer("session/close", { result: {} });
  if (when === "before") await refuse();
  await closing;
  for (const turn of turns) expect(await turn.finished).toMatchObject(cancelled);
  expect(session.signal.aborted).toBe(true);
});

import { describe, expect, it } from "vitest";
import { ConnectionClosedError, RequestError, TimeoutError, UsageError } from "../v1/index.ts";
import { accept, chunk, openRawSession, standOf } from "../../test/support/raw-agent-v2.ts";
import type { Turn } from "./turn.ts";

const echo = (messageId: string): object => ({ sessionUpdate: "user_message", messageId });
const cancelledError = { error: { code: -32800, message: "Request cancelled" } };

/** The updates that a loop over a turn receives, and how it ends. */
async function told(turn: Turn): Promise<readonly string[]> {
  const texts: string[] = [];
  try {
    for await (const update of turn.updates) {
      if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text") {
        texts.push(update.content.text);
      } else if (update.sessionUpdate === "state_update") texts.push(update.state);
      else texts.push(update.sessionUpdate);
    }
    texts.push("end");
  } catch (error) {
    texts.push(`throws ${(error as Error).name}`);
  }
  return texts;
}

/** A handler for updates that waits at the first one until released. */
function slowHandler(): { readonly handler: () => Promise<void>; release(): void; readonly count: () => number } {
  let release = (): void => {};
  let count = 0;
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { handler: () => (count++, gate), release: () => release(), count: () => count };
}

describe("a turn", () => {
  it("is accepted by the answer, and finished by the idle state after its updates", async () => {
    const raw = await openRawSession();
    const turn = raw.session.prompt("hello");
    const heard = told(turn);
    await accept(raw);
    expect(await turn.accepted).toEqual({ messageId: "1" });
    raw.update(echo("1"));
    raw.state("running");
    raw.update(chunk("hi"));
    expect(await standOf(turn.finished)).toBe("pending");
    expect(raw.session.state).toBe("running");
    raw.state("idle", { stopReason: "end_turn", background: [] });
    expect(await turn.finished).toEqual({ state: "idle", stopReason: "end_turn", background: [] });
    expect(raw.session).toMatchObject({ state: "idle", background: [] });
    expect(await heard).toEqual(["user_message", "running", "hi", "idle", "end"]);
  });

  it("resolves with the stop reason error of work that has failed", async () => {
    const raw = await openRawSession();
    const turn = raw.session.prompt("hello");
    await accept(raw);
    raw.state("running");
    raw.state("idle", { stopReason: "error", error: { code: -32603, message: "no" } });
    expect(await turn.finished).toMatchObject({ stopReason: "error", error: { message: "no" } });
  });

  it("is accepted at once, and finished after the handlers of earlier updates and of its own", async () => {
    const { handler, release, count } = slowHandler();
    const raw = await openRawSession({ handlers: { "session/update": handler } });
    const turn = raw.session.prompt("hello");
    raw.state("running");
    raw.state("idle", { stopReason: "end_turn" });
    await accept(raw);
    await raw.peer.settle();
    // Was it idle before the message had its place? Then it continues.
    expect(await standOf(turn.accepted)).toEqual({ value: { messageId: "1" } });
    raw.state("running");
    raw.state("idle", { stopReason: "refusal" });
    expect(await standOf(turn.finished)).toBe("pending");
    expect(count()).toBe(1);
    release();
    expect(await turn.finished).toMatchObject({ stopReason: "refusal" });
    expect(count()).toBe(4);
  });

  it("is finished when the handler of the state itself is done, however that ends", async () => {
    let fail = (_error: Error): void => {};
    const gate = new Promise<void>((_resolve, reject) => {
      fail = reject;
    });
    const raw = await openRawSession({
      handlers: {
        "session/update": ({ update }) =>
          update.sessionUpdate === "state_update" && update.state === "idle" ? gate : undefined,
      },
    });
    const turn = raw.session.prompt("hello");
    await accept(raw);
    raw.state("running");
    raw.state("idle", { stopReason: "end_turn" });
    await raw.peer.settle();
    expect(raw.session.state).toBe("idle");
    expect(await standOf(turn.finished)).toBe("pending");
    fail(new Error("handler"));
    expect(await turn.finished).toMatchObject({ stopReason: "end_turn" });
    await raw.peer.settle();
    expect(raw.diagnostics).toMatchObject([{ type: "handler-failed" }]);
  });

  it("is finished at once by an answer that comes after all of the work", async () => {
    const raw = await openRawSession();
    const turn = raw.session.prompt("hello");
    const heard = told(turn);
    raw.state("running");
    raw.update(echo("1"));
    raw.state("idle", { stopReason: "end_turn" });
    expect(await standOf(turn.finished)).toBe("pending");
    await accept(raw);
    expect(await turn.finished).toMatchObject({ stopReason: "end_turn" });
    expect(await heard).toEqual(["running", "user_message", "idle", "end"]);
  });

  it("has all updates before a late answer, although its idle state came first and waits for a handler", async () => {
    const { handler, release } = slowHandler();
    const raw = await openRawSession({ handlers: { "session/update": handler } });
    const events: string[] = [];
    raw.session.observe(({ type }) => void events.push(type));
    const turn = raw.session.prompt("hello");
    const heard = told(turn);
    raw.update(echo("1"));
    raw.state("running");
    raw.state("idle", { stopReason: "end_turn" });
    raw.update(chunk("after all"));
    await accept(raw);
    expect(await turn.accepted).toEqual({ messageId: "1" });
    release();
    expect(await turn.finished).toMatchObject({ stopReason: "end_turn" });
    expect(await heard).toEqual(["user_message", "running", "idle", "after all", "end"]);
    expect(events.slice(-3)).toEqual(["update", "turn_accepted", "turn_ended"]);
  });

  it("fails with the agent's refusal, after the updates before it", async () => {
    const { handler, release } = slowHandler();
    const raw = await openRawSession({ handlers: { "session/update": handler } });
    const turn = raw.session.prompt("hello");
    const heard = told(turn);
    raw.state("running");
    raw.state("idle", { stopReason: "error" });
    await raw.answer("session/prompt", { error: { code: -32602, message: "empty" } });
    await expect(turn.accepted).rejects.toBeInstanceOf(RequestError);
    expect(await standOf(turn.finished)).toBe("pending");
    release();
    await expect(turn.finished).rejects.toBeInstanceOf(RequestError);
    expect(await heard).toEqual(["running", "idle", "throws RequestError"]);
  });

  it("is not sent if its signal has aborted, or its session has ended", async () => {
    const raw = await openRawSession();
    const reason = new Error("before");
    const first = raw.session.prompt("hello", { signal: AbortSignal.abort(reason) });
    await expect(first.accepted).rejects.toBe(reason);
    await expect(first.finished).rejects.toBe(reason);
    const closing = raw.session.close();
    await raw.answer("session/close", { result: {} });
    await closing;
    const second = raw.session.prompt("hello");
    await expect(second.accepted).rejects.toBeInstanceOf(UsageError);
    await expect(second.finished).rejects.toBeInstanceOf(UsageError);
    expect(await told(second)).toEqual(["throws UsageError"]);
    expect(raw.peer.received.some(({ method }) => method === "session/prompt")).toBe(false);
  });

  it("takes no empty prompt", async () => {
    const { session } = await openRawSession();
    expect(() => session.prompt([])).toThrow(UsageError);
    expect(() => session.prompt([{ text: "no type" } as never])).toThrow(UsageError);
  });
});

describe("several turns of a session", () => {
  it("are finished together if the agent took both in, and the first one has the updates", async () => {
    const raw = await openRawSession();
    const [first, second] = [raw.session.prompt("one"), raw.session.prompt("two")];
    const heard = Promise.all([told(first), told(second)]);
    await accept(raw, "1");
    raw.state("running");
    await accept(raw, "2");
    raw.update(chunk("both"));
    raw.state("idle", { stopReason: "end_turn" });
    expect(await Promise.all([first.finished, second.finished])).toHaveLength(2);
    expect(await heard).toEqual([["running", "both", "idle", "end"], ["end"]]);
  });

  it("are finished one by one if the agent holds the second one back, and each has its updates", async () => {
    const raw = await openRawSession();
    const [first, second] = [raw.session.prompt("one"), raw.session.prompt("two")];
    const heard = Promise.all([told(first), told(second)]);
    await accept(raw, "1");
    raw.state("running");
    raw.state("idle", { stopReason: "end_turn" });
    await accept(raw, "2");
    raw.state("running");
    raw.update(chunk("second"));
    expect(await first.finished).toMatchObject({ stopReason: "end_turn" });
    expect(await standOf(second.finished)).toBe("pending");
    raw.state("idle", { stopReason: "refusal" });
    expect(await second.finished).toMatchObject({ stopReason: "refusal" });
    expect(await heard).toEqual([
      ["running", "idle", "end"],
      ["running", "second", "idle", "end"],
    ]);
  });

  it("ignore updates between turns", async () => {
    const raw = await openRawSession();
    raw.state("running");
    raw.state("idle", { stopReason: "end_turn" });
    const turn = raw.session.prompt("one");
    await accept(raw);
    raw.state("idle", { stopReason: "end_turn", background: [{ type: "terminal", terminalId: "t" }] });
    expect(await standOf(turn.finished)).toBe("pending");
    raw.state("running");
    raw.state("idle", { stopReason: "end_turn" });
    expect(await turn.finished).toMatchObject({ stopReason: "end_turn" });
  });
});

describe("a cancelled turn", () => {
  it("is confirmed by the idle state", async () => {
    const raw = await openRawSession();
    const controller = new AbortController();
    const turn = raw.session.prompt("hello", { signal: controller.signal });
    await accept(raw);
    raw.state("running");
    await turn.accepted;
    controller.abort();
    await raw.peer.next(({ method }) => method === "session/cancel");
    raw.state("idle", { stopReason: "cancelled" });
    expect(await turn.finished).toMatchObject({ stopReason: "cancelled" });
    turn.cancel();
    await raw.peer.settle();
    expect(raw.peer.received.filter(({ method }) => method === "session/cancel")).toHaveLength(1);
  });

  it("is confirmed even if the agent had not started", async () => {
    const raw = await openRawSession();
    const turn = raw.session.prompt("hello");
    await accept(raw);
    await turn.accepted;
    turn.cancel();
    raw.state("idle", { stopReason: "cancelled" });
    expect(await turn.finished).toMatchObject({ stopReason: "cancelled" });
  });

  it("is over if the agent withdraws a prompt that it has held back", async () => {
    const raw = await openRawSession();
    const [first, second] = [raw.session.prompt("one"), raw.session.prompt("two")];
    await accept(raw, "1");
    raw.state("running");
    second.cancel();
    await raw.answer("session/prompt", cancelledError);
    raw.state("idle", { stopReason: "cancelled" });
    await expect(second.accepted).rejects.toMatchObject({ wire: { code: -32800 } });
    // One cancel ends all running work.
    expect(await Promise.all([first.finished, second.finished])).toMatchObject([
      { stopReason: "cancelled" },
      { stopReason: "cancelled" },
    ]);
  });

  it("is not one that was sent after the cancel", async () => {
    const raw = await openRawSession();
    const first = raw.session.prompt("one");
    await accept(raw, "1");
    raw.state("running");
    first.cancel();
    const second = raw.session.prompt("two");
    await accept(raw, "2");
    raw.state("idle", { stopReason: "cancelled" });
    expect(await first.finished).toMatchObject({ stopReason: "cancelled" });
    raw.state("running");
    raw.state("idle", { stopReason: "end_turn" });
    expect(await second.finished).toMatchObject({ stopReason: "end_turn" });
  });

  it("leaves a later one its end, also one that the agent cancels while handlers lag behind", async () => {
    const { handler, release } = slowHandler();
    const raw = await openRawSession({ handlers: { "session/update": handler } });
    const first = raw.session.prompt("one");
    await accept(raw, "1");
    raw.state("running");
    first.cancel();
    const second = raw.session.prompt("two");
    raw.state("idle", { stopReason: "cancelled" });
    await accept(raw, "2");
    raw.state("running");
    raw.state("idle", { stopReason: "cancelled" });
    await raw.peer.settle();
    release();
    expect(await first.finished).toMatchObject({ stopReason: "cancelled" });
    expect(await second.finished).toMatchObject({ stopReason: "cancelled" });
  });

  it.each([
    ["answers", false],
    ["becomes idle", true],
  ])("times out if the agent never %s", async (_what, isAccepted) => {
    const raw = await openRawSession();
    const turn = raw.session.prompt("hello", { cancelGrace: 1 });
    if (isAccepted) await accept(raw);
    if (isAccepted) await turn.accepted;
    turn.cancel();
    await expect(turn.finished).rejects.toBeInstanceOf(TimeoutError);
    expect(await standOf(turn.accepted)).toMatchObject(
      isAccepted ? { value: { messageId: "1" } } : { error: { name: "TimeoutError" } },
    );
    await turn.close();
  });

  it("does not time out if the state arrived in time and waits for a handler", async () => {
    const { handler, release } = slowHandler();
    const raw = await openRawSession({ handlers: { "session/update": handler } });
    const turn = raw.session.prompt("hello", { cancelGrace: 20 });
    await accept(raw);
    raw.state("running");
    await turn.accepted;
    turn.cancel();
    raw.state("idle", { stopReason: "cancelled" });
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(await standOf(turn.finished)).toBe("pending");
    release();
    expect(await turn.finished).toMatchObject({ stopReason: "cancelled" });
  });

  it("is closed in a handler of its own updates", async () => {
    let turn: Turn | undefined;
    const raw = await openRawSession({
      handlers: {
        "session/update": async ({ update }) => {
          if (update.sessionUpdate === "agent_message_chunk") await turn?.close();
        },
      },
    });
    turn = raw.session.prompt("hello");
    await accept(raw);
    raw.update(chunk("stop here"));
    await raw.peer.next(({ method }) => method === "session/cancel");
    raw.state("idle", { stopReason: "cancelled" });
    expect(await turn.finished).toMatchObject({ stopReason: "cancelled" });
  });
});

describe("a turn whose session is closed", () => {
  it("is finished by the state that comes before the answer", async () => {
    const raw = await openRawSession();
    const turn = raw.session.prompt("hello");
    const heard = told(turn);
    await accept(raw);
    raw.state("running");
    const closing = raw.session.close();
    await raw.peer
      .next(({ method }) => method === "session/close")
      .then(({ id }) => {
        raw.update(chunk("last words"));
        raw.state("idle", { stopReason: "cancelled" });
        raw.peer.send({ jsonrpc: "2.0", id, result: {} });
      });
    await closing;
    expect(await turn.finished).toEqual({ state: "idle", stopReason: "cancelled" });
    expect(await heard).toEqual(["running", "last words", "idle", "end"]);
    expect(raw.session.signal.aborted).toBe(true);
  });

  it.each([
    ["says nothing of it", { result: {} }],
    ["does not know the session any more", { error: { code: -32002, message: "gone" } }],
  ])("counts as cancelled if the agent %s", async (_how, outcome) => {
    const raw = await openRawSession();
    const turn = raw.session.prompt("hello");
    await accept(raw);
    raw.state("running");
    await turn.accepted;
    const closing = raw.session.close();
    await raw.answer("session/close", outcome);
    await closing;
    expect(await turn.finished).toEqual({ state: "idle", stopReason: "cancelled" });
    expect(raw.session.signal.aborted).toBe(true);
  });

  it.each([
    ["is withdrawn", cancelledError],
    ["had its place before", { result: { messageId: "1" } }],
  ])("counts as cancelled if its prompt has no answer until then, and %s", async (_how, outcome) => {
    const raw = await openRawSession();
    const turn = raw.session.prompt("hello");
    const prompt = await raw.peer.next(({ method }) => method === "session/prompt");
    const closing = raw.session.close();
    await raw.answer("session/close", { result: {} });
    await closing;
    expect(await standOf(turn.finished)).toBe("pending");
    raw.peer.send({ jsonrpc: "2.0", id: prompt["id"], ...outcome });
    expect(await turn.finished).toEqual({ state: "idle", stopReason: "cancelled" });
  });
});

describe("a turn whose connection ends", () => {
  it("fails, before and after it was accepted", async () => {
    const raw = await openRawSession();
    const [first, second] = [raw.session.prompt("one"), raw.session.prompt("two")];
    const heard = told(first);
    await accept(raw);
    raw.state("running");
    await first.accepted;
    await raw.peer.settle();
    await raw.peer.close();
    for (const promise of [first.finished, second.accepted, second.finished]) {
      await expect(promise).rejects.toBeInstanceOf(ConnectionClosedError);
    }
    expect(await heard).toEqual(["running", "throws ConnectionClosedError"]);
    await first.close();
  });

  it("is finished if the state had come before, once the handlers are done", async () => {
    const { handler, release } = slowHandler();
    const raw = await openRawSession({ handlers: { "session/update": handler } });
    const turn = raw.session.prompt("hello");
    await accept(raw);
    raw.state("running");
    raw.state("idle", { stopReason: "end_turn" });
    await turn.accepted;
    await raw.peer.settle();
    await raw.peer.close();
    expect(await standOf(turn.finished)).toBe("pending");
    release();
    expect(await turn.finished).toMatchObject({ stopReason: "end_turn" });
  });

  it("ends in spite of waiting handlers if this side closes it", async () => {
    const raw = await openRawSession({ handlers: { "session/update": () => new Promise<void>(() => {}) } });
    const [first, second] = [raw.session.prompt("one"), raw.session.prompt("two")];
    await accept(raw);
    raw.state("running");
    raw.state("idle", { stopReason: "end_turn" });
    await first.accepted;
    await raw.peer.settle();
    await raw.agent.close();
    expect(await first.finished).toMatchObject({ stopReason: "end_turn" });
    await expect(second.finished).rejects.toBeInstanceOf(ConnectionClosedError);
  });
});

// Updates that wait behind a slow handler when their turn, their session or the connection ends: loops get them all.
import { describe, expect, it } from "vitest";
import { type AnySession, type Run, start, type Version } from "../support/unclaimed-run.ts";

interface Update {
  readonly content?: { readonly text?: string };
}

/** Reads a loop to its end: the texts, and the message of the error that ends it. */
async function read(updates: AsyncIterable<Update>): Promise<string[]> {
  const texts: string[] = [];
  try {
    for await (const { content } of updates) if (content?.text !== undefined) texts.push(content.text);
  } catch (error) {
    texts.push((error as Error).message);
  }
  return texts;
}

/** A client with a running turn, whose first update has a handler that the test lets go on. */
async function setUp(version: Version, more: object = {}, promptOptions: object = {}) {
  const handled: string[] = [];
  let goOn = (): void => {};
  const running = new Promise<void>((resolve) => (goOn = resolve));
  /** The sessions that the handler got with them. */
  const receivers = new Set<unknown>();
  const handler = (
    { update }: { readonly update: Update },
    { session: receiver }: { session: unknown },
  ): Promise<void> => {
    if (update.content?.text !== undefined) handled.push(update.content.text);
    receivers.add(receiver);
    return running;
  };
  const run = await start(version, { "session/update": handler }, more);
  const opening = await run.open("session/new");
  opening.answer({ result: { sessionId: "s" } });
  const session = await opening.opened;
  // What its opener has not asked for is kept no longer.
  await run.peer.settle();
  const turn = session.prompt("Hello", promptOptions);
  const over = "response" in turn ? turn.response : turn.finished;
  over.catch(() => {});
  const ofTurn = read(turn.updates as AsyncIterable<Update>);
  const ofSession = read(session.updates as AsyncIterable<Update>);
  const ofObserver: string[] = [];
  session.observe((event) => {
    const text = event.type === "update" ? (event.update as Update).content?.text : event.type;
    if (text !== undefined) ofObserver.push(text);
  });
  const { id } = await run.peer.next(({ method }) => method === "session/prompt");
  if (version === 2) run.peer.send({ jsonrpc: "2.0", id, result: { messageId: "p" } });
  for (const text of ["a", "b", "c"]) run.say("s", text);
  return {
    ...run,
    session,
    receivers,
    turn,
    over,
    ofTurn,
    ofSession,
    ofObserver: () => ofObserver.filter((text) => ["a", "b", "c", "closed"].includes(text)),
    /** Ends the turn as the agent does. */
    end: () => {
      if (version === 1) return run.peer.send({ jsonrpc: "2.0", id, result: { stopReason: "end_turn" } });
      run.update("s", { sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" });
    },
    /** Lets the handlers go on, and returns what they got. */
    goOn: async () => {
      goOn();
      await run.peer.settle();
      return handled;
    },
  };
}

/** Answers the next call of a method. */
async function answer({ peer }: Pick<Run, "peer">, method: string, result: object): Promise<void> {
  const { id } = await peer.next((message) => message["method"] === method);
  peer.send({ jsonrpc: "2.0", id, result });
}

const all = ["a", "b", "c"];

describe.each([1, 2] as const)("a client of version %i, with updates that wait for a slow handler", (version) => {
  it("passes them to loops and observers before the error, when the agent ends the connection", async () => {
    const run = await setUp(version);
    await run.peer.settle();
    await run.peer.close();
    const error = "The peer closed the connection";
    expect(await run.ofTurn).toEqual([...all, error]);
    expect(await run.ofSession).toEqual([...all, error]);
    expect(run.ofObserver()).toEqual([...all, "closed"]);
    await expect(run.over).rejects.toThrow(error);
    // Once each, to the handler as well.
    expect(await run.goOn()).toEqual(all);
    expect([...run.receivers]).toEqual([run.session]);
  });

  it("passes them on when the client closes the connection, though the handler never returns", async () => {
    const run = await setUp(version);
    await run.peer.settle();
    await run.agent.close();
    expect(await run.ofTurn).toEqual([...all, "The connection was closed"]);
    expect(await run.ofSession).toEqual(all);
    expect(run.ofObserver()).toEqual([...all, "closed"]);
  });

  it("passes them on before the end of a turn that ends behind them, whoever ends the connection", async () => {
    for (const close of [(run: Run) => run.peer.close(), (run: Run) => run.agent.close()]) {
      const run = await setUp(version);
      run.end();
      await run.peer.settle();
      await close(run);
      if (version === 1) await run.agent.close();
      else await run.goOn();
      expect(await run.over).toMatchObject({ stopReason: "end_turn" });
      expect(await run.ofTurn).toEqual(all);
    }
  });

  it("passes them on when the session is closed", async () => {
    const run = await setUp(version);
    await run.peer.settle();
    const closing = run.session.close();
    await answer(run, "session/close", {});
    await closing;
    expect(await run.ofSession).toEqual(all);
    expect(run.ofObserver()).toEqual([...all, "closed"]);
    expect(await run.goOn()).toEqual(all);
    expect([...run.receivers]).toEqual([run.session]);
    run.end();
    expect(await run.ofTurn).toEqual(all);
  });

  it("passes them to the session that they were sent in, when it is opened again", async () => {
    const run = await setUp(version);
    await run.peer.settle();
    const opening = await run.open("session/resume", { sessionId: "s" });
    const second = run.agent.session("s") as AnySession;
    const ofSecond = read(second.updates as AsyncIterable<Update>);
    run.say("s", "d");
    await run.peer.settle();
    opening.answer({ result: {} });
    expect(await opening.opened).toBe(second);
    expect(await run.ofSession).toEqual(all);
    expect(await run.goOn()).toEqual([...all, "d"]);
    await run.peer.close();
    expect(await ofSecond).toEqual(["d", "The peer closed the connection"]);
  });

  it("passes them on in order when the connection ends while the session is opened again", async () => {
    const run = await setUp(version);
    await run.peer.settle();
    await run.open("session/resume", { sessionId: "s" });
    const ofSecond = read((run.agent.session("s") as AnySession).updates as AsyncIterable<Update>);
    run.say("s", "d");
    await run.peer.settle();
    await run.peer.close();
    const error = "The peer closed the connection";
    expect(await run.ofSession).toEqual([...all, "d", error]);
    expect(await ofSecond).toEqual(["d", error]);
  });

  it("passes them on when the client gives up the call that opens the session", async () => {
    const run = await setUp(version);
    const params = { sessionId: "t", cwd: "/project", mcpServers: [] };
    const stop = new AbortController();
    const opening = run.agent.request("session/resume" as never, params as never, stop);
    const ofLoading = read((run.agent.session("t") as AnySession).updates as AsyncIterable<Update>);
    for (const text of all) run.say("t", text);
    await run.peer.settle();
    stop.abort(new Error("too slow"));
    await expect(opening).rejects.toThrow("too slow");
    expect(await ofLoading).toEqual([...all, "too slow"]);
    await run.agent.close();
  });

  it("passes them to the loop of a cancelled turn before the client gives it up, once each", async () => {
    const run = await setUp(version, {}, { cancelGrace: 20 });
    await run.peer.settle();
    run.turn.cancel();
    expect(await run.ofTurn).toEqual([...all, expect.stringContaining("within 20 ms of session/cancel")]);
    expect(await run.goOn()).toEqual(all);
    await run.agent.close();
    expect(await run.ofSession).toEqual(all);
  });

  it("passes on those that arrive with the session's opening, when the agent leaves right after that", async () => {
    const run = await start(version);
    const opening = await run.open("session/new");
    run.say("s", "a");
    opening.answer({ result: { sessionId: "s" } });
    run.say("s", "b");
    const session = await opening.opened;
    const closed = run.peer.close();
    expect(await read(session.updates as AsyncIterable<Update>)).toEqual(["a", "b", "The peer closed the connection"]);
    await closed;
  });
});

// What a loop over updates may leave unread.
import { describe, expect, it } from "vitest";
import { UnreadUpdatesError, UsageError } from "../../src/base/errors.ts";
import type { UnreadUpdatesOptions } from "../../src/session/client/updates/unread-updates.ts";
import { createClient } from "../../src/v1/client.ts";
import { createClient as createClientV2 } from "../../src/v2/client.ts";
import { start } from "../support/unclaimed-run.ts";

interface Chunk {
  readonly content?: { readonly text?: string };
}

/** A client with a turn, whose agent says what the test wants. */
async function prompt(version: 1 | 2, unreadUpdates: UnreadUpdatesOptions, handlers: object = {}) {
  const run = await start(version, handlers, { unreadUpdates });
  const opening = await run.open("session/new");
  opening.answer({ result: { sessionId: "s" } });
  const session = await opening.opened;
  // What its opener has not asked for is kept no longer.
  await run.peer.settle();
  const turn = session.prompt("Hello");
  const { id } = await run.peer.next(({ method }) => method === "session/prompt");
  const over = "response" in turn ? turn.response : turn.finished;
  if (version === 2) {
    run.peer.send({ jsonrpc: "2.0", id, result: { messageId: "p" } });
    run.update("s", { sessionUpdate: "state_update", state: "running" });
    await run.peer.settle();
  }
  return {
    ...run,
    session,
    turn,
    updates: turn.updates as AsyncIterable<Chunk>,
    /** How the turn has ended. */
    over: over as Promise<{ readonly stopReason?: unknown }>,
    say: (...texts: readonly string[]) => {
      for (const text of texts) run.say("s", text);
    },
    /** The agent ends the turn. */
    end: () => {
      if (version === 1) return run.peer.send({ jsonrpc: "2.0", id, result: { stopReason: "end_turn" } });
      run.update("s", { sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" });
    },
    /** What the handler got. */
    said: () => run.seen.filter((text) => text !== "s: state_update"),
    overLimit: () => run.diagnostics.filter(({ type }) => type === "over-limit"),
  };
}

const texts = (count: number, from = 0): string[] => Array.from({ length: count }, (_, index) => `${from + index}`);

/** Reads the texts of updates, up to the end or an error. */
async function readAll(updates: AsyncIterable<Chunk>): Promise<{ read: string[]; error: unknown }> {
  const read: string[] = [];
  try {
    for await (const { content } of updates) if (content?.text !== undefined) read.push(content.text);
  } catch (error) {
    return { read, error };
  }
  return { read, error: undefined };
}

describe.each([1, 2] as const)("a client of version %i, where a loop leaves too much unread", (version) => {
  const setUp = (options: UnreadUpdatesOptions, handlers?: object) => prompt(version, options, handlers);

  it("fails the loop after its unread updates, and nothing else", async () => {
    const { updates, over, say, end, said, overLimit, agent, session } = await setUp({ maxCount: 3 });
    const iterator = updates[Symbol.asyncIterator]();
    say(...texts(5));
    end();
    expect(await over).toMatchObject({ stopReason: "end_turn" });
    expect(said()).toEqual(texts(5).map((text) => `s: ${text}`));
    const { read, error } = await readAll({ [Symbol.asyncIterator]: () => iterator });
    expect(read).toEqual(["0", "1", "2"]);
    expect(error).toBeInstanceOf(UnreadUpdatesError);
    expect(error).toMatchObject({ code: "unread_updates", sessionId: "s", limit: 3 });
    expect((error as Error).message).toBe(
      "A loop over the updates of a session has left more unread than unreadUpdates.maxCount allows (3); it gets no more",
    );
    expect(overLimit()).toMatchObject([
      { level: "warning", option: "unreadUpdates.maxCount", limit: 3, count: 1, sessionId: "s" },
    ]);
    expect(session.signal.aborted).toBe(false);
    await agent.close();
  });

  it("does the same for a loop that has not started, even while the others wait", async () => {
    for (const whenFull of ["fail", "wait"] as const) {
      const { updates, over, say, end, agent } = await setUp({ maxCount: 3, whenFull });
      say(...texts(5));
      end();
      expect(await over).toMatchObject({ stopReason: "end_turn" });
      expect(await readAll(updates)).toMatchObject({ read: ["0", "1", "2"], error: { code: "unread_updates" } });
      await agent.close();
    }
  });

  it("keeps nothing where nobody has asked for updates", async () => {
    const run = await start(version, {}, { unreadUpdates: { maxCount: 1 } });
    const opening = await run.open("session/new");
    opening.answer({ result: { sessionId: "s" } });
    await opening.opened;
    await run.peer.settle();
    for (const text of texts(5)) run.say("s", text);
    await expect.poll(() => run.seen).toHaveLength(5);
    expect(run.diagnostics).toEqual([]);
    await run.agent.close();
  });

  it("drops the oldest, and continues with the newest", async () => {
    const { updates, over, say, end, overLimit, agent } = await setUp({ maxCount: 3, whenFull: "drop-oldest" });
    const iterator = updates[Symbol.asyncIterator]();
    say(...texts(12));
    end();
    await over;
    const { read, error } = await readAll({ [Symbol.asyncIterator]: () => iterator });
    // The last one of version 2 is the state that ends the turn.
    expect([read, error]).toEqual([version === 1 ? ["9", "10", "11"] : ["10", "11"], undefined]);
    expect(overLimit().map((diagnostic) => "count" in diagnostic && diagnostic.count)).toEqual([1, 2, 4, 8]);
    await agent.close();
  });

  it("counts the size of messages as well", async () => {
    const { updates, say, end, over, overLimit, agent } = await setUp({ maxSize: 3000, whenFull: "drop-oldest" });
    const [large, small] = ["x".repeat(2000), "y".repeat(500)];
    say(large, large, small);
    end();
    await over;
    const { read } = await readAll(updates);
    expect(read).toEqual([large, small]);
    expect(overLimit()).toMatchObject([{ option: "unreadUpdates.maxSize", limit: 3000, count: 1 }]);
    await agent.close();
  });

  it("waits for a loop that has started: handlers, the end of the turn, and at last the agent", async () => {
    const { updates, over, say, end, said, diagnostics, agent } = await setUp({ maxCount: 4, whenFull: "wait" });
    let isOver = false;
    void over.then(() => (isOver = true));
    const iterator = updates[Symbol.asyncIterator]();
    const first = iterator.next();
    say(...texts(20));
    end();
    await first;
    // The first one is read, four are within the limit, and one is above it.
    await expect.poll(said).toHaveLength(6);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect([said().length, isOver]).toEqual([6, false]);
    const { read, error } = await readAll({ [Symbol.asyncIterator]: () => iterator });
    expect([read, error]).toEqual([texts(19, 1), undefined]);
    expect(await over).toMatchObject({ stopReason: "end_turn" });
    expect(diagnostics.filter(({ type }) => type !== "tolerated")).toEqual([]);
    await agent.close();
  });

  it("waits for a loop though a handler of the update fails", async () => {
    let failed = 0;
    const { updates, say, diagnostics, agent } = await setUp(
      { maxCount: 2, whenFull: "wait" },
      {
        "session/update": ({ update }: { update: { sessionUpdate: string } }) => {
          if (update.sessionUpdate === "state_update") return;
          failed++;
          throw new Error("no");
        },
      },
    );
    const iterator = updates[Symbol.asyncIterator]();
    void iterator.next();
    say(...texts(10));
    await expect.poll(() => failed).toBe(4);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect([failed, diagnostics.filter(({ type }) => type === "handler-failed").length]).toEqual([4, 4]);
    await agent.close();
  });

  it.each(["break", "close"] as const)("continues after a loop that waits, after %s", async (how) => {
    const { turn, updates, over, say, end, said, agent, session } = await setUp({ maxCount: 2, whenFull: "wait" });
    const iterator = updates[Symbol.asyncIterator]();
    void iterator.next();
    say(...texts(8));
    await expect.poll(said).toHaveLength(4);
    if (how === "break") {
      await iterator.return?.();
      end();
      expect(await over).toMatchObject({ stopReason: "end_turn" });
      expect(said()).toHaveLength(8);
    } else {
      over.catch(() => {});
      await agent.close();
      expect(session.signal.aborted).toBe(true);
      await over.catch(() => {});
      await turn.close();
    }
    await agent.close();
  });
});

describe.each([
  ["createClient", createClient],
  ["createClient of version 2", createClientV2],
])("%s", (_name, create) => {
  const info = { name: "test", version: "1.0.0" };

  it.each(["maxCount", "maxSize"])("rejects an unreadUpdates.%s that is not a limit", (name) => {
    for (const limit of [0, -1, 1.5, Number.NaN, "5"]) {
      expect(() => create({ info, unreadUpdates: { [name]: limit } })).toThrow(
        `unreadUpdates.${name} is ${limit}; expected a whole number from 1 on, or Infinity`,
      );
    }
    for (const limit of [1, Infinity, undefined, null]) {
      expect(() => create({ info, unreadUpdates: { [name]: limit } })).not.toThrow();
    }
  });

  it("refuses an unreadUpdates.whenFull that it does not know", () => {
    const made = (): unknown => create({ info, unreadUpdates: { whenFull: "drop" as never } });
    expect(made).toThrow(UsageError);
    expect(made).toThrow('unreadUpdates.whenFull is "drop"; expected "fail", "drop-oldest" or "wait"');
    expect(() => create({ info, unreadUpdates: null as never })).not.toThrow();
  });
});

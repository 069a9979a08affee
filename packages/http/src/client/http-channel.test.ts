// The state of a connection over HTTP, with a real server: each event in each state, and random walks.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ScriptedServer } from "../../test/support/scripted-server.ts";
import { type ChannelEvent, type ChannelState, transitions } from "./channel-states.ts";
import { HttpChannel } from "./http-channel.ts";

const initialize = '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}';
const note = (sessionId: string): string =>
  JSON.stringify({ jsonrpc: "2.0", method: "_acme/note", params: { sessionId } });

/** A channel, its server, and all that it reports. */
class Run implements AsyncDisposable {
  readonly server: ScriptedServer;
  readonly texts: string[] = [];
  readonly ends: (Error | undefined)[] = [];
  readonly #channel: HttpChannel;
  /** How many messages wait for the answer to `initialize`. */
  #queued = 0;

  private constructor(url: URL, server: ScriptedServer) {
    this.server = server;
    // Like a `fetch` of a program that does not cancel: the server may still answer `initialize` after the end.
    const fetch = (to: string, init: RequestInit): Promise<Response> =>
      globalThis.fetch(to, init.method === "POST" ? { ...init, signal: null } : init);
    this.#channel = new HttpChannel(url, { fetch });
    this.#channel.start({
      text: (text) => {
        this.texts.push(text);
        this.#channel.delivered(text);
      },
      issue: ({ message }) => expect(message).toContain("has failed"),
      room: () => {},
      closed: (reason) => this.ends.push(reason),
    });
  }

  static async start(): Promise<Run> {
    const server = new ScriptedServer();
    return new Run(await server.listen(), server);
  }

  get state(): ChannelState {
    return this.#channel.state;
  }

  send(text: string): void {
    this.#channel.send(text);
  }

  /** Sends a message of a session, and waits until the server has it. */
  async note(): Promise<void> {
    const count = this.server.posts.length;
    this.#channel.send(note("s"));
    if (this.state === "initializing") this.#queued++;
    if (this.state === "open") await expect.poll(() => this.server.posts.length).toBe(count + 1);
  }

  /** Causes an event, as far as there is a cause in this state, and waits for its trace at the server. */
  async cause(event: ChannelEvent): Promise<void> {
    const { server, state } = this;
    const count = server.posts.length;
    switch (event) {
      case "initialize":
        this.#channel.send(initialize);
        if (state === "new") await expect.poll(() => server.waiting).toBeDefined();
        // Another one is a message like any other.
        else if (state === "initializing") this.#queued++;
        else if (state === "open") await expect.poll(() => server.posts.slice(count)).toEqual(["initialize"]);
        break;
      case "refuse":
      case "open": {
        const isWaiting = server.waiting !== undefined;
        server.answer(event === "refuse");
        if (isWaiting && event === "refuse") this.#queued = 0;
        if (!isWaiting || event === "refuse") break;
        // Nobody else would end a connection that comes too late.
        if (state === "ended") await expect.poll(() => server.deletes).toBe(1);
        else {
          await expect.poll(() => server.streams.has(undefined)).toBe(true);
          await expect.poll(() => server.posts.length).toBe(count + this.#queued);
        }
        break;
      }
      case "drain":
        server.endStream(undefined);
        break;
      case "finish":
        for (const session of server.streams.keys()) if (session !== undefined) server.endStream(session);
        break;
      case "fail":
        server.breakNetwork();
        if (state !== "new") await expect.poll(() => this.state).toBe("ended");
        server.isBroken = false;
        break;
      case "close":
        await this.#channel.close();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#channel.close();
    await this.server[Symbol.asyncDispose]();
  }
}

/** The events that lead to a state. An open or draining connection has the stream of a session, too. */
const paths: Readonly<Record<ChannelState, readonly (ChannelEvent | "note")[]>> = {
  new: [],
  initializing: ["initialize"],
  open: ["initialize", "open", "note"],
  draining: ["initialize", "open", "note", "drain"],
  // The answer to `initialize` is still to come.
  ended: ["initialize", "close"],
};

async function reach(state: ChannelState): Promise<Run> {
  const run = await Run.start();
  for (const step of paths[state]) await (step === "note" ? run.note() : run.cause(step));
  await expect.poll(() => run.state).toBe(state);
  return run;
}

/** The state after each event in each state. A dash means no change. */
const outcomes: Readonly<Record<ChannelEvent, Readonly<Record<ChannelState, ChannelState | "-">>>> = {
  initialize: row("initializing", "-", "-", "-", "-"),
  refuse: row("-", "new", "-", "-", "-"),
  open: row("-", "open", "-", "-", "-"),
  drain: row("-", "-", "draining", "-", "-"),
  // The first of several streams that end.
  finish: row("-", "-", "draining", "ended", "-"),
  // Nothing is on its way before `initialize`.
  fail: row("-", "ended", "ended", "ended", "-"),
  close: row("ended", "ended", "ended", "ended", "-"),
};

function row<T>(...[one, initializing, open, draining, ended]: T[]): Record<ChannelState, T> {
  return { new: one, initializing, open, draining, ended } as Record<ChannelState, T>;
}

const states = Object.keys(paths) as readonly ChannelState[];
const events = Object.keys(transitions) as readonly ChannelEvent[];
const pairs = events.flatMap((event) => states.map((state) => [event, state] as const));

describe("the state of a connection over HTTP", () => {
  it.each(pairs)("%s of a connection that is %s", async (event, state) => {
    await using run = await reach(state);
    const outcome = outcomes[event][state];
    await run.cause(event);
    await expect.poll(() => run.state).toBe(outcome === "-" ? state : outcome);
    // Its own end is not reported to a side that closes.
    const isReported = run.state === "ended" && (event === "fail" || event === "finish") && state !== "ended";
    expect(run.ends).toEqual(isReported ? [event === "fail" ? expect.any(Error) : undefined] : []);
  });

  it("changes by the events of its table only", () => {
    for (const [event, state] of pairs) {
      const { from, to } = transitions[event];
      const outcome = outcomes[event][state];
      if (event !== "finish" || state !== "open")
        expect([event, state, from.includes(state) ? to : "-"]).toEqual([event, state, outcome]);
    }
  });

  it("rejects a request that waits for a refused `initialize`, and takes another `initialize`", async () => {
    await using run = await reach("initializing");
    run.send('{"jsonrpc":"2.0","id":7,"method":"session/new","params":{}}');
    await run.note();
    await run.cause("refuse");
    await expect.poll(() => run.texts).toHaveLength(2);
    expect(JSON.parse(run.texts[1] ?? "")).toMatchObject({
      id: 7,
      error: { message: "session/new was not sent: it waited for initialize, which the agent refused" },
    });
    await run.cause("initialize");
    await run.cause("open");
    await run.note();
    expect(run.server.posts).toEqual(["_acme/note"]);
  });

  it("receives last messages although the server refuses what was on its way, and a new stream", async () => {
    await using run = await reach("open");
    let answer = (): void => {};
    run.server.mayAnswer = new Promise((resolve) => (answer = resolve));
    await run.note();
    await run.cause("drain");
    await expect.poll(() => run.state).toBe("draining");
    answer();
    await run.server.answered;
    const update = { sessionUpdate: "subagent_update", sessionId: "child" };
    run.server.write("s", { jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update } });
    await expect.poll(() => run.server.refusedStreams).toContain("child");
    run.server.write("s", say(1));
    await expect.poll(() => run.texts).toHaveLength(3);
    await run.cause("finish");
    await expect.poll(() => run.ends).toEqual([undefined]);
  });

  it("sends and receives only what its state allows, in random walks", async () => {
    const steps = fc.array(fc.constantFrom(...events, ...extras), { maxLength: 12 });
    await fc.assert(fc.asyncProperty(fc.constantFrom(...starts), steps, walk), {
      numRuns: 60,
      endOnFailure: true,
    });
  });
});

const extras = ["note", "say", "say"] as const;
/** Walks start in all states that last. */
const starts = ["new", "initializing", "open", "open", "draining", "draining"] as const;

async function walk(start: ChannelState, steps: readonly (ChannelEvent | (typeof extras)[number])[]): Promise<void> {
  await using run = await reach(start);
  const { server } = run;
  let state = start;
  let said = 0;
  const heard = (): unknown[] => run.texts.filter((text) => text.includes("_acme/say")).map((text) => numberIn(text));
  for (const step of steps) {
    const posts = server.posts.length;
    if (step === "say") {
      for (const session of [undefined, "s"]) if (server.write(session, say(said))) said++;
      // Last messages arrive, too.
      if (state !== "ended") await expect.poll(heard).toHaveLength(said);
    } else if (step === "note") {
      if (state !== "new") await run.note();
      else await expect(run.note()).rejects.toThrow("cannot be the first message");
    } else {
      // A session has a stream from its first message on.
      const isCause = step !== "finish" || server.streams.has("s");
      await run.cause(step);
      const outcome = isCause ? outcomes[step][state] : "-";
      if (outcome !== "-") state = outcome;
      // Without the stream of a session, there is nothing to wait for.
      if (state === "draining" && server.streams.size === 0) state = "ended";
      await expect.poll(() => run.state, { message: step }).toBe(state);
    }
    if (state !== "open") expect(server.posts.length).toBe(posts);
  }
  expect(heard()).toEqual(Array.from({ length: said }, (_, n) => n));
  const ends = run.ends.length;
  await run.cause("close");
  expect(run.ends).toHaveLength(ends);
  expect(ends).toBeLessThanOrEqual(1);
  // The server learns of the end once, unless it has ended the connection.
  if (!server.isGone) expect(server.deletes).toBe(server.hasConnection ? 1 : 0);
  await expect.poll(() => server.streams.size).toBe(0);
}

function say(n: number): object {
  return { jsonrpc: "2.0", method: "_acme/say", params: { n } };
}

function numberIn(text: string): unknown {
  return (JSON.parse(text) as { readonly params: { readonly n: number } }).params.n;
}

import { RequestError } from "@acp/core";
import { randomId } from "@acp/core/internal";

import { type Clock, sleep } from "../clock.ts";
import { type ExtensionRequest, firstAnswer } from "../extensions.ts";
import type { Command } from "../journal/entry.ts";
import type { Journal, SessionFilter } from "../journal/journal.ts";
import type { Ending, OpenAsk } from "../journal/session-facts.ts";
import type { Keepers, KeeperStart, RunningKeeper } from "../keeper/keepers.ts";
import { type Audience, fromWireError, toWireError } from "../wire-error.ts";
import { type Answering, Attention, canAnyAnswer } from "./attention.ts";
import { Feed } from "./feed.ts";
import { SessionKeepers } from "./session-keepers.ts";

/** What the sessions of a front need. */
export interface SessionsParts {
  readonly journal: Journal;
  readonly keepers: Keepers;
  readonly clock: Clock;
  /** How many sessions may have an agent. */
  readonly maxLive: number;
  /** How many clients may be attached to one session. */
  readonly maxClients: number;
  /** A question is open that nobody who is attached can answer. */
  readonly onAttention?: ((session: string, question: OpenAsk) => void) | undefined;
}

/** A session that somebody uses here. */
interface UsedSession {
  readonly session: string;
  readonly feed: Promise<Feed>;
  users: number;
  /** What starts a keeper, should the session have none. */
  start: KeeperStart | undefined;
  /** The keys of commands that were sent, and may wait for a keeper. */
  readonly sent: Set<string>;
}

/** How often a front looks whether a session that needs a keeper still has one elsewhere, in milliseconds. */
const lookTime = 4000;
/** How long a command may wait for a journal that cannot be reached, in milliseconds, and the time between two tries. */
const sendTime = { longest: 30_000, between: 500 };

/** The sessions, as a front reads them, and asks their keepers to act. */
export class HubSessions {
  readonly #parts: SessionsParts;
  readonly #keepers: SessionKeepers;
  readonly #used = new Map<string, UsedSession>();
  readonly #useOf = new WeakMap<Feed, UsedSession>();
  readonly #attached = new Map<string, Set<Answering>>();
  readonly #attention = new Map<string, Attention>();
  readonly #end = new AbortController();
  readonly #stopWatching: () => void;

  constructor(parts: SessionsParts) {
    this.#parts = parts;
    this.#keepers = new SessionKeepers({
      ...parts,
      onStored: (session) => this.#read(session),
      onFound: (session, keeper) => void this.#watchQuestions(session, keeper).catch(() => {}),
      answer: (session, request, signal) => this.#answer(session, request, signal),
      onEnd: (session) => void this.#relieve(session),
    });
    this.#stopWatching = parts.journal.watch((sessions) => {
      for (const session of sessions) {
        this.#read(session);
        this.#keepers.wake(session);
      }
    });
    void this.#lookOften();
  }

  /** Makes a session, and opens it at its agent. */
  async create(owner: string | undefined, start: KeeperStart, audience: Audience): Promise<Feed> {
    const { session, program, setup } = start;
    const { command, args, cwd, name: agent } = program;
    await this.#parts.journal.create(session, {
      agent,
      owner,
      cwd: setup.cwd,
      additionalDirectories: setup.additionalDirectories,
      more: { program: { command, args, cwd } },
    });
    let feed: Feed | undefined;
    try {
      feed = await this.feed(session);
      this.#remember(start);
      await this.#open(feed, start, audience);
      return feed;
    } catch (error) {
      // What could not be opened was never a session.
      if (feed !== undefined) this.release(feed);
      await (await this.#keepers.get(session))?.close();
      await this.#parts.journal.remove(session).catch(() => {});
      throw error;
    }
  }

  /** Has somebody keep the session. Its keeper opens it at the agent when a command needs that. */
  async ensureKept(start: KeeperStart): Promise<void> {
    this.#remember(start);
    await this.#keepers.start(start);
  }

  /** Finds the keeper of a session that an earlier front has started, and ends what a dead one has left. */
  async adopt(start: KeeperStart): Promise<void> {
    this.#remember(start);
    await this.#keepers.find(start.session);
    await this.#relieve(start.session);
  }

  async #open(feed: Feed, start: KeeperStart, audience: Audience): Promise<void> {
    const keeper = await this.#keepers.start(start);
    if (keeper === undefined) throw RequestError.internalError("Another keeper has taken the new session");
    await feed.read();
    const opened = feed.until(({ isLive, openedAt, failure }) =>
      isLive ? "opened" : openedAt > 0 ? failure : undefined,
    );
    const ended = keeper.closed.then(() => toWireError(new Error("The keeper of the session has ended")));
    const outcome = await Promise.race([opened, ended]);
    if (outcome !== "opened") throw fromWireError(outcome, audience);
  }

  #remember(start: KeeperStart): void {
    const used = this.#used.get(start.session);
    if (used !== undefined) used.start = start;
  }

  async #lookOften(): Promise<void> {
    const { signal } = this.#end;
    for (;;) {
      await sleep(this.#parts.clock, lookTime, signal);
      if (signal.aborted) return;
      for (const session of this.#used.keys()) void this.#relieve(session);
    }
  }

  /** Starts a keeper for a session that has none, if there is something to end, or to do for clients of this front. */
  async #relieve(session: string): Promise<void> {
    try {
      const used = this.#used.get(session);
      if (used?.start === undefined || !needsKeeper(used, await used.feed)) return;
      if (this.#keepers.has(session) || this.#end.signal.aborted || !(await this.#isFree(session))) return;
      // The last words of a keeper that has just ended may say that there is nothing left to do.
      const feed = await used.feed;
      await feed.read();
      if (!needsKeeper(used, feed)) return;
      await this.#keepers.start({ ...used.start, opens: false });
    } catch {
      // The next look tries again.
    }
  }

  /** Whether nobody keeps a session: the keeper may be on another machine. */
  async #isFree(session: string): Promise<boolean> {
    const { journal } = this.#parts;
    const claim = await journal.claim(session, `look-${randomId()}`, 1);
    if (claim === undefined || "heldBy" in claim) return false;
    await journal.release(claim);
    return true;
  }

  /** Reads what is new. What cannot be read now is read the next time. */
  #read(session: string): void {
    void this.#used
      .get(session)
      ?.feed.then((feed) => feed.read())
      .catch(() => {});
  }

  /** The entries of a session. Call `release` for each call. */
  async feed(session: string): Promise<Feed> {
    for (;;) {
      const known = this.#used.get(session);
      const used = known ?? this.#use(session);
      used.users += 1;
      try {
        const feed = await used.feed;
        this.#useOf.set(feed, used);
        if (feed.lost === undefined) return feed;
        if (feed.lost === "deleted" && used !== known) throw noSession(session);
      } catch (error) {
        this.#leave(used);
        throw error;
      }
      // The journal has lost the place of this feed: for who comes now, it is read from the start.
      if (this.#used.get(session) === used) this.#used.delete(session);
      this.#leave(used);
    }
  }

  release(feed: Feed): void {
    const used = this.#useOf.get(feed);
    if (used !== undefined) this.#leave(used);
  }

  #use(session: string): UsedSession {
    const { journal, clock } = this.#parts;
    const feed = Feed.open(journal, session, clock);
    const used: UsedSession = { session, feed, users: 0, start: undefined, sent: new Set() };
    this.#used.set(session, used);
    return used;
  }

  #leave(used: UsedSession): void {
    used.users -= 1;
    if (used.users > 0) return;
    if (this.#used.get(used.session) === used) this.#used.delete(used.session);
    void used.feed.then((feed) => feed.close()).catch(() => {});
  }

  /** Counts a client in. Returns what counts it out. Throws if there are too many already. */
  attach(session: string, client: Answering): () => void {
    const clients = this.#attached.get(session) ?? new Set();
    if (clients.size >= this.#parts.maxClients)
      throw RequestError.internalError(`${clients.size} clients use the session, which is all that may (clients)`);
    this.#attached.set(session, clients.add(client));
    this.#onAttached(session, clients.size);
    return () => {
      clients.delete(client);
      if (clients.size === 0 && this.#attached.get(session) === clients) this.#attached.delete(session);
      this.#onAttached(session, clients.size);
    };
  }

  #onAttached(session: string, count: number): void {
    this.checkAttention(session);
    this.#keepers.setAttached(session, count);
  }

  /** Whether a client of this front uses a session. */
  isUsed(session: string): boolean {
    return this.#used.has(session);
  }

  /** Whether somebody else who is attached can answer a question. */
  canOthersAnswer(session: string, question: OpenAsk, client: Answering): Promise<boolean> {
    const others = [...(this.#attached.get(session) ?? [])].filter((other) => other !== client);
    return canAnyAnswer(others, question);
  }

  /** Has the first client of this front answer that has such a method. */
  #answer(session: string, request: ExtensionRequest, signal: AbortSignal): Promise<unknown> {
    const { method, params, to, except } = request;
    const clients = [...(this.#attached.get(session) ?? [])].filter(({ connection }) =>
      to === undefined ? connection !== except : connection === to,
    );
    return firstAnswer(
      method,
      clients.map((client) => () => client.request(method, params, signal)),
    );
  }

  /** A client can answer a question no longer. */
  checkAttention(session: string): void {
    this.#attention.get(session)?.check();
  }

  /** Watches the questions of a session as long as its keeper runs. */
  async #watchQuestions(session: string, keeper: RunningKeeper): Promise<void> {
    const { onAttention } = this.#parts;
    if (onAttention === undefined) return;
    const feed = await this.feed(session);
    const attached = (): Iterable<Answering> => this.#attached.get(session) ?? [];
    const attention = new Attention(feed, attached, (question) => onAttention(session, question));
    this.#attention.set(session, attention);
    await keeper.closed;
    attention.end();
    if (this.#attention.get(session) === attention) this.#attention.delete(session);
    this.release(feed);
  }

  /**
   * Sends a command, if `check` resolves in the same moment. Resolves when it is stored: the keeper will see it, whatever happens
   * to this process.
   */
  async send(
    session: string,
    command: Command,
    key: string = randomId(),
    check?: () => Promise<unknown>,
  ): Promise<string> {
    // With its key, a command that is sent twice is one.
    const text = JSON.stringify(command);
    const sent = await this.reach(async () => {
      await check?.();
      this.#used.get(session)?.sent.add(key);
      return await this.#parts.journal.send(session, key, text);
    });
    if (sent === undefined) throw noSession(session);
    this.#keepers.wake(session);
    return key;
  }

  /** Tries until the journal answers. */
  async reach<T>(attempt: () => Promise<T>): Promise<T> {
    const { clock } = this.#parts;
    const end = clock.now() + sendTime.longest;
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        if (error instanceof RequestError || clock.now() >= end || this.#end.signal.aborted) throw error;
        await sleep(clock, sendTime.between, this.#end.signal);
      }
    }
  }

  /** Waits for the end of a command. */
  async endOf(feed: Feed, key: string, audience: Audience, signal?: AbortSignal): Promise<unknown> {
    const ending = await feed.until<Ending>((facts) => facts.endings.get(key), signal);
    if ("error" in ending) throw fromWireError(ending.error, audience);
    return ending.result;
  }

  list(filter: SessionFilter, page?: string): ReturnType<Journal["list"]> {
    return this.#parts.journal.list(filter, page);
  }

  /** Ends the agent of a session. */
  async stop(session: string): Promise<void> {
    const keeper = await this.#keepers.find(session).catch(() => undefined);
    if (keeper !== undefined) await keeper.close();
    else await this.send(session, { type: "stop" });
  }

  async close(): Promise<void> {
    this.#end.abort();
    this.#stopWatching();
    for (const { feed } of this.#used.values()) void feed.then((open) => open.close()).catch(() => {});
    await this.#keepers.close();
  }
}

/** Whether there is something that only a keeper can end, or do. */
function needsKeeper({ sent }: UsedSession, { facts, lost }: Feed): boolean {
  for (const key of sent) if (facts.endings.has(key)) sent.delete(key);
  if (lost !== undefined) return false;
  return sent.size > 0 || facts.isLive || facts.active !== undefined || facts.asks.size > 0;
}

function noSession(session: string): RequestError {
  return RequestError.resourceNotFound(`No such session: ${session}`, { sessionId: session });
}

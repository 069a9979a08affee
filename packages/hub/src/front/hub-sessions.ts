import { RequestError } from "@acp/core";
import { randomId } from "@acp/core/internal";

import type { Clock } from "../clock.ts";
import type { Command } from "../journal/entry.ts";
import type { Journal, SessionFilter } from "../journal/journal.ts";
import type { Ending, OpenAsk } from "../journal/session-facts.ts";
import type { Keepers, KeeperStart, RunningKeeper } from "../keeper/keepers.ts";
import { type Audience, fromWireError, toWireError } from "../wire-error.ts";
import { type Answering, Attention, canAnyAnswer } from "./attention.ts";
import { Feed } from "./feed.ts";

/** What the sessions of a front need. */
export interface SessionsParts {
  readonly journal: Journal;
  readonly keepers: Keepers;
  readonly clock: Clock;
  /** How many sessions may have an agent. */
  readonly maxLive: number;
  /** A question is open that nobody who is attached can answer. */
  readonly onAttention?: ((session: string, question: OpenAsk) => void) | undefined;
}

/** The sessions, as a front reads them, and asks their keepers to act. */
export class HubSessions {
  readonly #parts: SessionsParts;
  readonly #feeds = new Map<string, Promise<Feed>>();
  readonly #keepers = new Map<string, Promise<RunningKeeper | undefined>>();
  readonly #attached = new Map<string, Set<Answering>>();
  readonly #attention = new Map<string, Attention>();
  readonly #stopWatching: () => void;
  #isClosed = false;

  constructor(parts: SessionsParts) {
    this.#parts = parts;
    this.#stopWatching = parts.journal.watch((sessions) => {
      for (const session of sessions) {
        this.#onStored(session);
        this.#wake(session);
      }
    });
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
    try {
      const feed = await this.feed(session);
      await this.#open(feed, start, audience);
      return feed;
    } catch (error) {
      // What could not be opened was never a session.
      const keeper = await this.#keepers.get(session)?.catch(() => undefined);
      await keeper?.close();
      await this.#parts.journal.remove(session);
      this.release(session);
      throw error;
    }
  }

  /** Has somebody keep the session. Its keeper opens it at the agent when a command needs that. */
  async ensureKept(start: KeeperStart): Promise<void> {
    await this.#start(start);
  }

  async #open(feed: Feed, start: KeeperStart, audience: Audience): Promise<void> {
    const keeper = await this.#start(start);
    if (keeper === undefined) throw RequestError.internalError("Another keeper has taken the new session");
    await feed.read();
    const opened = feed.until(({ isLive, openedAt, failure }) =>
      isLive ? "opened" : openedAt > 0 ? failure : undefined,
    );
    const ended = keeper.closed.then(() => toWireError(new Error("The keeper of the session has ended")));
    const outcome = await Promise.race([opened, ended]);
    if (outcome !== "opened") throw fromWireError(outcome, audience);
  }

  #start(start: KeeperStart): Promise<RunningKeeper | undefined> {
    const { session } = start;
    const running = this.#keepers.get(session);
    if (running !== undefined) return running;
    if (this.#keepers.size >= this.#parts.maxLive)
      throw RequestError.internalError(
        `${this.#keepers.size} sessions have an agent, which is all that may (sessions)`,
      );
    return this.#hold(
      start,
      this.#parts.keepers.start(start, () => this.#onStored(session)),
    );
  }

  /** Remembers a keeper as long as it runs. */
  #hold(start: KeeperStart, starting: Promise<RunningKeeper | undefined>): Promise<RunningKeeper | undefined> {
    const { session } = start;
    this.#keepers.set(session, starting);
    const forget = (): void => {
      if (this.#keepers.get(session) === starting) this.#keepers.delete(session);
    };
    starting.then((keeper) => {
      if (keeper === undefined) return forget();
      keeper.setAttached(this.#attached.get(session)?.size ?? 0);
      void this.#watchQuestions(session, keeper).catch(() => {});
      void keeper.closed.then(() => {
        forget();
        void this.#onKeeperEnd(start).catch(() => {});
      });
    }, forget);
    return starting;
  }

  /** Finds the keeper of a session that an earlier hub has started, and ends what a dead one has left. */
  async adopt(feed: Feed, start: KeeperStart): Promise<void> {
    const { session } = start;
    if (this.#keepers.has(session)) return;
    const found = await this.#hold(
      start,
      this.#parts.keepers.find(session, () => this.#onStored(session)),
    );
    if (found === undefined && isUnfinished(feed)) await this.#start({ ...start, opens: false });
  }

  /** A keeper that has ended in order has left nothing. */
  async #onKeeperEnd(start: KeeperStart): Promise<void> {
    const feed = await this.#feeds.get(start.session);
    await feed?.read();
    if (feed === undefined || this.#isClosed || !isUnfinished(feed)) return;
    await this.#start({ ...start, opens: false });
  }

  #onStored(session: string): void {
    void this.#feeds
      .get(session)
      ?.then((feed) => feed.read())
      .catch(() => {
        // What cannot be read now is read the next time.
      });
  }

  /** The entries of a session. Call `release` for each call. */
  async feed(session: string): Promise<Feed> {
    const { journal, clock } = this.#parts;
    const opening = this.#feeds.get(session) ?? Feed.open(journal, session, clock);
    this.#feeds.set(session, opening);
    try {
      const feed = await opening;
      feed.use();
      return feed;
    } catch (error) {
      this.#feeds.delete(session);
      throw error;
    }
  }

  release(session: string): void {
    void this.#feeds.get(session)?.then((feed) => {
      if (!feed.release()) return;
      feed.close();
      this.#feeds.delete(session);
    });
  }

  /** Counts a client in. Returns what counts it out. */
  attach(session: string, client: Answering): () => void {
    const clients = this.#attached.get(session) ?? new Set();
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
    void this.#keepers
      .get(session)
      ?.then((keeper) => keeper?.setAttached(count))
      .catch(() => {});
  }

  /** Whether somebody else who is attached can answer a question. */
  canOthersAnswer(session: string, question: OpenAsk, client: Answering): Promise<boolean> {
    const others = [...(this.#attached.get(session) ?? [])].filter((other) => other !== client);
    return canAnyAnswer(others, question);
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
    this.release(session);
  }

  /** Sends a command. Resolves when it is stored: the keeper will see it, whatever happens to this process. */
  async send(session: string, command: Command, key: string = randomId()): Promise<string> {
    const sent = await this.#parts.journal.send(session, key, JSON.stringify(command));
    if (sent === undefined) throw RequestError.resourceNotFound(`No such session: ${session}`, { sessionId: session });
    this.#wake(session);
    return key;
  }

  /** Waits for the end of a command. */
  async endOf(feed: Feed, key: string, audience: Audience, signal?: AbortSignal): Promise<unknown> {
    const ending = await feed.until<Ending>((facts) => facts.endings.get(key), signal);
    if ("error" in ending) throw fromWireError(ending.error, audience);
    return ending.result;
  }

  #wake(session: string): void {
    void this.#keepers
      .get(session)
      ?.then((keeper) => keeper?.wake())
      .catch(() => {});
  }

  list(filter: SessionFilter, page?: string): ReturnType<Journal["list"]> {
    return this.#parts.journal.list(filter, page);
  }

  /** Ends the agent of a session. */
  async stop(session: string): Promise<void> {
    const keeper = await this.#keepers.get(session)?.catch(() => undefined);
    if (keeper !== undefined) await keeper.close();
    else await this.send(session, { type: "stop" });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopWatching();
    for (const feed of this.#feeds.values()) void feed.then((open) => open.close()).catch(() => {});
    await this.#parts.keepers.close();
  }
}

/** Whether a keeper that is gone has left something that nobody ends. */
function isUnfinished({ facts, lost }: Feed): boolean {
  return lost === undefined && (facts.isLive || facts.active !== undefined || facts.asks.size > 0);
}

import { Attachment, type AttachedClient } from "../../src/front/attachment.ts";
import type { Feed } from "../../src/front/feed.ts";
import { runPrompt } from "../../src/front/run-prompt.ts";
import { V1Client } from "../../src/front/v1-client.ts";
import type { Cursor } from "../../src/journal/cursor.ts";
import { encodeEntry, type Entry } from "../../src/journal/entry.ts";
import type { KeeperStart } from "../../src/keeper/keepers.ts";
import type { Engine } from "./engine.ts";
import type { Front } from "./front.ts";
import type { Mutant } from "./mutant.ts";
import type { Program } from "./program.ts";
import { questionOf, type SessionLog } from "./session-log.ts";
import type { World } from "./world.ts";

/** A session that several clients use. */
export interface SharedSession {
  state: "not made" | "being made" | "made";
  /** Its id: that of the next try, if making it failed. */
  id: string;
}

/** The client of a connection. */
export interface SeatOwner {
  readonly name: string;
  readonly parts: {
    readonly world: World;
    readonly engine: Engine;
    readonly mutant: Mutant;
    readonly shared: SharedSession;
  };
  /** What starts a keeper of the session. */
  readonly start: KeeperStart;
  readonly isSlow: boolean;
  readonly isCalm: boolean;
  /** The prompts that have not ended yet. */
  readonly pending: ReadonlySet<string>;
  /** Where it goes on when it comes again, in which session. */
  last: { readonly session: string; readonly cursor: Cursor } | undefined;
  onSeatLost(seat: Seat, needsHistory: boolean): void;
  promptAgain(): void;
  onEnd(key: string): void;
}

/** One connection of a client: it does in the front what the front's handlers do, and checks what comes. */
export class Seat {
  isAttached = false;
  /** The number of the last entry that it was shown, or that it did not want. */
  position = 0;
  /** The questions that wait for this client, by their words. */
  readonly dialogs: Map<string, () => void> = new Map();
  readonly #client: SeatOwner;
  readonly #front: Front;
  readonly #program: Program;
  readonly #world: World;
  readonly #log: SessionLog;
  readonly #start: KeeperStart;
  readonly #left = new AbortController();
  readonly #asked = new Set<string>();
  readonly #connection: string;
  #feed: Feed | undefined;
  #v1: V1Client | undefined;
  /** The last of the prompts that it was not shown, nor told that they were removed. */
  #untold = 0;
  #lastText = "";
  #isGone = false;
  #isMaking = false;
  #calls = 0;

  constructor(client: SeatOwner, front: Front, history: Cursor | "shown" | "left out") {
    const { name, parts } = client;
    const { world, engine, shared } = parts;
    this.#client = client;
    this.#front = front;
    this.#program = front.program;
    this.#world = world;
    this.#start = client.start;
    this.#log = engine.logOf(shared.id);
    this.#connection = `${name}@${front.program.name}/${world.steps}`;
    world.say(`${name} comes to ${front.program.name}: ${JSON.stringify(history)}`);
    this.#program.onDeath(() => this.#gone(false));
    this.#do(async () => {
      try {
        await this.#attach(history);
      } catch (error) {
        this.#world.say(`${name} cannot attach: ${String(error)}`);
        this.#gone(false);
      }
    });
  }

  leave(): void {
    this.#world.say(`${this.#client.name} leaves`);
    this.#do(() => this.#left.abort(new Error("The client has left")));
    this.#gone(false);
  }

  prompt(key: string): void {
    const { name } = this.#client;
    this.#world.say(`${name} prompts ${key}`);
    this.#do(async () => {
      if (this.#feed === undefined || this.#v1 === undefined) return;
      const ended = runPrompt({
        sessions: this.#front.sessions,
        feed: this.#feed,
        prompts: this.#v1.prompts,
        start: this.#start,
        key,
        audience: "machine",
        send: async () => {
          const prompt = [{ type: "text", text: key }];
          await this.#front.sessions.send(
            this.#log.session,
            { type: "prompt", v: 1, prompt, client: this.#connection, by: name },
            key,
          );
        },
      });
      const outcome = await ended.catch((error: unknown) => error);
      if (this.#isGone) return;
      this.#world.say(`${name}: ${key} ends: ${outcome instanceof Error ? outcome.message : JSON.stringify(outcome)}`);
      const { stopReason, _meta } = Object(outcome) as { stopReason?: unknown; _meta?: { key?: unknown } };
      if (!(outcome instanceof Error) && _meta?.key !== key && stopReason !== "cancelled")
        this.#world.fail(`${name} got ${JSON.stringify(outcome)} for ${key}`);
      if (stopReason === "cancelled" && !this.#log.cancelled.has(key))
        this.#world.fail(`${key} of ${name} is cancelled, which nobody has asked for`);
      this.#client.onEnd(key);
    });
  }

  cancel(): void {
    const { name } = this.#client;
    this.#world.say(`${name} cancels`);
    const { active } = this.#feed?.facts ?? {};
    const prompts = [...this.#client.pending, ...(active === undefined ? [] : [active])];
    for (const key of prompts) this.#log.cancelled.add(key);
    this.#send({ type: "cancel", client: this.#connection, prompts, by: name });
  }

  stop(): void {
    this.#world.say(`${this.#client.name} stops the session`);
    this.#do(() => void this.#front.sessions.stop(this.#log.session).catch(() => {}));
  }

  call(): void {
    this.#do(async () => {
      await this.#front.sessions.ensureKept(this.#start);
      if (this.#feed === undefined) return;
      const isExtension = this.#world.random.chance(0.5);
      this.#calls += 1;
      const once = `${this.#connection}/${this.#calls}`;
      const [method, params] = isExtension ? ["_sim/once", { once }] : ["session/set_mode", { modeId: "ask" }];
      const call = { type: "call", v: 1, method, params } as const;
      const key = await this.#front.sessions.send(this.#log.session, call);
      await this.#front.sessions.endOf(this.#feed, key, "machine", this.#left.signal);
    });
  }

  #send(command: Parameters<Front["sessions"]["send"]>[1]): void {
    this.#do(() => void this.#front.sessions.send(this.#log.session, command).catch(() => {}));
  }

  /** Does something in the front. */
  #do(run: () => unknown): void {
    this.#world.after(this.#world.random.from(0, 3), () =>
      this.#program.deliver(() => void Promise.resolve(run()).catch(() => {})),
    );
  }

  #gone(needsHistory: boolean): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.isAttached = false;
    if (this.#isMaking) this.#notMade();
    this.#client.onSeatLost(this, needsHistory);
  }

  #notMade(): void {
    const { shared } = this.#client.parts;
    if (!this.#isMaking) return;
    this.#isMaking = false;
    shared.state = "not made";
    shared.id += "+";
  }

  /** As the handlers of the front do it. */
  async #attach(history: Cursor | "shown" | "left out"): Promise<void> {
    const { sessions } = this.#front;
    const { shared } = this.#client.parts;
    const start = this.#start;
    const { session } = start;
    const { signal } = this.#left;
    let feed: Feed;
    if (shared.id !== session) throw new Error("There is another session now");
    if (shared.state === "not made") {
      shared.state = "being made";
      this.#isMaking = true;
      try {
        feed = await sessions.create("owner", start, "machine");
        shared.state = "made";
        this.#isMaking = false;
      } catch (error) {
        this.#notMade();
        throw error;
      }
    } else {
      if ((await this.#front.journal.describe(session)) === undefined) throw new Error("There is no such session");
      feed = await sessions.feed(session);
      await sessions.adopt(start);
    }
    const v1 = new V1Client(this.#shownSession(), "machine", {
      connection: this.#connection,
      mayAnswer: () => Promise.resolve(true),
      answered: async (question, result) => {
        await sessions.send(session, { type: "answer", ask: question.id, v: 1, result, by: this.#client.name });
      },
      unable: () => sessions.checkAttention(session),
      lost: (reason) => {
        this.#world.say(`${this.#client.name} has lost the session: ${reason}`);
        this.#world.after(0, () => this.#gone(true));
      },
    });
    const after = history === "shown" ? undefined : history === "left out" ? feed.facts.cursor : history;
    this.position = after?.n ?? 0;
    const attachment = new Attachment(feed, this.#shown(v1), after, signal);
    this.#feed = feed;
    this.#v1 = v1;
    const countOut = sessions.attach(session, v1);
    const detach = (): void => {
      countOut();
      sessions.release(feed);
    };
    if (signal.aborted) detach();
    else signal.addEventListener("abort", detach, { once: true });
    if (history !== "left out") await attachment.replay();
    this.#world.after(0, () =>
      this.#program.deliver(() => {
        void attachment.follow().catch(() => {});
        if (this.#isGone) return;
        this.isAttached = true;
        this.#client.promptAgain();
      }),
    );
  }

  #shown(v1: V1Client): AttachedClient {
    return {
      version: 1,
      show: async (entry) => {
        this.#check(entry);
        const { random } = this.#world;
        if (this.#client.isSlow && !this.#client.isCalm && random.chance(0.3)) {
          const wait = random.chance(0.02) ? 3000 : random.from(1, 60);
          await new Promise<void>((resolve) => this.#program.clock.after(wait, resolve));
        }
        await v1.show(entry);
      },
      ask: (question, signal) => {
        if (this.#asked.has(question.id)) this.#world.fail(`${this.#client.name} is asked ${question.id} twice`);
        this.#asked.add(question.id);
        return v1.ask(question, signal);
      },
      follow: () => v1.follow(),
      lost: (reason) => v1.lost(reason),
    };
  }

  #check(entry: Entry): void {
    const { name } = this.#client;
    if (this.#isGone || this.#log.isRemoved) return;
    const text = encodeEntry(entry);
    if (this.#log.lost.has(this.#lastText) && !this.#log.lost.has(text))
      this.#world.fail(`${name} is shown entry ${entry.epoch}-${entry.n} behind one that is lost`);
    this.#lastText = text;
    // What was read before an engine forgot it may still be shown.
    if (this.#log.lost.has(text)) {
      this.position = entry.n;
      return;
    }
    if (this.#log.texts[entry.n - 1] !== text && !this.#log.short.has(text))
      this.#world.fail(`${name} is shown entry ${entry.epoch}-${entry.n}, which is not in the journal`);
    if (entry.n <= this.position) this.#world.fail(`${name} is shown entry ${entry.n} after ${this.position}`);
    for (const left of this.#log.entries.slice(Math.max(this.position, this.#log.compacted), entry.n - 1))
      if (isShown(left)) this.#world.fail(`${name} is not shown entry ${left.n}`);
    this.#noteRemoved(entry);
    this.position = entry.n;
    this.#client.last = { session: this.#log.session, cursor: { epoch: entry.epoch, n: entry.n } };
  }

  /** It has missed prompts, and has not been told that they were removed. */
  get isUntold(): boolean {
    return this.#untold > 0;
  }

  /** Prompts are not compacted: who is not shown one is told so before the next one. */
  #noteRemoved(entry: Entry): void {
    const missed = this.#log.entries.slice(this.position, entry.n - 1).findLast(({ t }) => t === "message");
    this.#untold = missed?.n ?? this.#untold;
    if (entry.t === "notice" && entry.n >= this.#untold) this.#untold = 0;
    if (entry.t === "message" && this.isUntold)
      this.#world.fail(`${this.#client.name} is not shown prompt ${this.#untold}, nor told that it was removed`);
  }

  /** A dialog whose question is over since a time, although the client was shown everything. */
  staleDialog(time: number): string | undefined {
    if (this.missing.length > 0) return undefined;
    return [...this.dialogs.keys()].find((title) => (this.#log.answers.get(title)?.time ?? Infinity) < time);
  }

  /** What is left to show. */
  get missing(): readonly Entry[] {
    const last = this.#log.entries.at(-1);
    // It has not been told yet that what it has seen is lost.
    if (last !== undefined && this.position > last.n) return [last];
    return this.#log.entries.slice(Math.max(this.position, this.#log.compacted)).filter(isShown);
  }

  #shownSession(): ConstructorParameters<typeof V1Client>[0] {
    return {
      id: this.#log.session,
      signal: this.#left.signal,
      client: {
        meta: {},
        capabilities: {},
        request: (_method: never, params: unknown, { signal }) => this.#ask(params, signal),
        notify: () => Promise.resolve(),
      },
      offer: () => Promise.resolve(true),
    };
  }

  #ask(params: unknown, signal: AbortSignal): Promise<unknown> {
    const { random } = this.#world;
    const title = questionOf(params);
    this.#world.say(`${this.#client.name} is asked ${title} in ${this.#connection}`);
    const stored = [...this.#log.open.values()].includes(title) || this.#log.answers.has(title);
    if (!stored && !this.#log.isRemoved && !this.#log.hasForgotten)
      this.#world.fail(`${this.#client.name} is asked ${title}, which is not in the journal`);
    return new Promise((resolve, reject) => {
      const answer = (): void =>
        this.#program.deliver(() => {
          if (this.#isGone || !this.dialogs.delete(title)) return;
          const optionId = random.pick(["yes", "no", "never"]);
          this.#world.say(`${this.#client.name} answers ${title}: ${optionId}`);
          resolve({ outcome: { outcome: "selected", optionId } });
        });
      this.dialogs.set(title, answer);
      if (random.chance(0.6)) this.#world.after(random.from(1, 2500), answer);
      if (this.#client.parts.mutant.isDeaf === true) return;
      const withdraw = (): void => {
        this.dialogs.delete(title);
        reject(new Error("The question is withdrawn"));
      };
      if (signal.aborted) withdraw();
      else signal.addEventListener("abort", withdraw, { once: true });
    });
  }
}

/** Whether an entry is shown as such, to whoever comes. */
function isShown({ t }: Entry): boolean {
  return t !== "ask" && t !== "answered" && t !== "notify";
}

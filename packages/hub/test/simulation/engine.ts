import type { Cursor } from "../../src/journal/cursor.ts";
import type {
  Claim,
  Journal,
  SessionDescription,
  StoredCommand,
  Write,
  WriteResult,
} from "../../src/journal/journal.ts";
import { createMemoryJournal } from "../../src/journal/memory-journal.ts";
import type { Mutant } from "./mutant.ts";
import type { Program } from "./program.ts";
import { SessionLog } from "./session-log.ts";
import type { World } from "./world.ts";

/** How often something goes wrong on the way to the engine and back; each from 0 to 1. */
export interface Faults {
  /** A call fails, and nothing has happened. */
  readonly lost: number;
  /** A call fails, and it has happened. */
  readonly answerLost: number;
  /** A call fails, and it happens after that. */
  readonly late: number;
  readonly slow: number;
  readonly wakeLost: number;
  readonly wakeTwice: number;
}

export const noFaults: Faults = { lost: 0, answerLost: 0, late: 0, slow: 0, wakeLost: 0, wakeTwice: 0 };

/** Writes a session into an engine as it is in the log. */
async function copyLog(
  engine: Journal,
  log: SessionLog,
  description: SessionDescription,
  commands: readonly StoredCommand[],
  now: number,
): Promise<void> {
  const { session, claims, holder, entries, texts } = log;
  await engine.create(session, description);
  for (const { keeper, epoch } of claims) {
    const isLast = epoch === log.epoch;
    const claim = await engine.claim(
      session,
      keeper,
      isLast && holder !== undefined ? Math.max(holder.until - now, 1) : 1e9,
    );
    if (claim === undefined || "heldBy" in claim) return;
    const own = texts.filter((_, index) => entries[index]?.epoch === epoch);
    if (own.length > 0) await engine.append([{ claim, from: claim.next, entries: own }]);
    if (isLast) await copyCommands(engine, claim, commands, log.sent);
    if (!isLast || holder === undefined) await engine.release(claim);
  }
}

/** The commands get the places that they had. */
async function copyCommands(
  engine: Journal,
  claim: Claim,
  commands: readonly StoredCommand[],
  last: number,
): Promise<void> {
  const done: number[] = [];
  for (let place = 1; place <= last; place++) {
    const waiting = commands.find(({ at }) => at === place);
    if (waiting === undefined) done.push(place);
    await engine.send(claim.session, waiting?.key ?? `done-${place}`, waiting?.command ?? "{}");
  }
  await engine.settle(claim, done);
}

/** The journal that all share, a network before it, and somebody who watches what is stored. */
export class Engine {
  faults: Faults = noFaults;
  frozenUntil = 0;
  readonly logs: Map<string, SessionLog> = new Map();
  readonly #world: World;
  readonly #mutant: Mutant;
  readonly #wakes: ((sessions: readonly string[]) => void)[] = [];
  #stored: Journal;
  #engine: Journal;

  constructor(world: World, mutant: Mutant) {
    this.#world = world;
    this.#mutant = mutant;
    this.#stored = createMemoryJournal({ now: () => world.now });
    this.#engine = mutant.engine?.(this.#stored) ?? this.#stored;
  }

  logOf(session: string): SessionLog {
    const log = this.logs.get(session) ?? new SessionLog(this.#world, session);
    this.logs.set(session, log);
    return log;
  }

  /** The journal as a program has it. */
  connect(program: Program): Journal {
    const call = <T>(what: string, run: () => Promise<T>): Promise<T> => this.#call(program, what, run);
    const journal: Journal = {
      create: (session, description) => call("create", () => this.#engine.create(session, description)),
      claim: (session, keeper, lease) =>
        call(`claim ${session}`, async () => {
          const claim = await this.#engine.claim(session, keeper, lease);
          if (claim !== undefined && !("heldBy" in claim)) this.#onClaim(claim, lease);
          return claim;
        }),
      renew: (claims, lease) =>
        call("renew", async () => {
          const lost = await this.#engine.renew(claims, lease);
          for (const claim of claims) {
            const { holder, epoch } = this.logOf(claim.session);
            if (!lost.includes(claim) && holder?.keeper === claim.keeper && epoch === claim.epoch)
              holder.until = this.#world.now + lease;
          }
          return lost;
        }),
      release: (claim) =>
        call(`release ${claim.session}`, async () => {
          await this.#engine.release(claim);
          const log = this.logOf(claim.session);
          if (log.epoch === claim.epoch) log.holder = undefined;
        }),
      append: (writes) => call("append", () => this.#append(writes)),
      read: (session, after, limit) => call("read", () => this.#engine.read(session, after, limit)),
      watch: (wake) => this.#watch((sessions) => this.#wake(program, () => wake(sessions))),
      send: (session, key, command) =>
        call(`send ${key} ${command.slice(0, 80)}`, async () => {
          const sent = await this.#engine.send(session, key, command);
          const log = this.logOf(session);
          log.sent = Math.max(log.sent, sent?.at ?? 0);
          return sent;
        }),
      commands: (claim, after) => call("commands", () => this.#engine.commands(claim, after)),
      settle: (claim, places) => call(`settle ${places.join()}`, () => this.#engine.settle(claim, places)),
      compact: (claim, upTo, entries) =>
        call(`compact ${claim.session}`, async () => {
          const result = await this.#engine.compact(claim, upTo, entries);
          if (result === "done") this.logOf(claim.session).compact(upTo, entries);
          return result;
        }),
      list: (filter, page) => call("list", () => this.#engine.list(filter, page)),
      describe: (session) => call("describe", () => this.#engine.describe(session)),
      change: (session, change) => call("change", () => this.#engine.change(session, change)),
      // Sessions get new ids: the log of a removed one stays, and what was read of it may still be shown.
      remove: (session) =>
        call("remove", async () => {
          await this.#engine.remove(session);
          this.logOf(session).isRemoved = true;
        }),
      close: () => Promise.resolve(),
    };
    return this.#mutant.journal?.(journal) ?? journal;
  }

  #watch(wake: (sessions: readonly string[]) => void): () => void {
    this.#wakes.push(wake);
    const stop = this.#engine.watch(wake);
    return () => {
      stop();
      this.#wakes.splice(this.#wakes.indexOf(wake), 1);
    };
  }

  /** The commands of a session, whoever keeps it. */
  async #commandsOf({ session, claims }: SessionLog): Promise<readonly StoredCommand[]> {
    // Only whoever keeps a session may read them, and this engine is about to be gone.
    const own = await this.#stored.claim(session, "engine", 1e9);
    const claim = own === undefined || "heldBy" in own ? claims.at(-1) : own;
    return claim === undefined ? [] : await this.#stored.commands(claim, 0);
  }

  /** Another engine takes over, which has not got the last entries. */
  async failOver(lost: number): Promise<void> {
    const copy = createMemoryJournal({ now: () => this.#world.now });
    for (const log of this.logs.values()) {
      const listed = await this.#stored.describe(log.session);
      if (listed === undefined || log.isRemoved) continue;
      const commands = await this.#commandsOf(log);
      log.forget(lost);
      await copyLog(copy, log, listed, commands, this.#world.now);
    }
    this.#world.say(`another engine takes over, without the last ${lost} entries`);
    this.#stored = copy;
    this.#engine = this.#mutant.engine?.(copy) ?? copy;
    for (const wake of this.#wakes) this.#engine.watch(wake);
  }

  #onClaim(claim: Claim, lease: number): void {
    const log = this.logOf(claim.session);
    const { holder } = log;
    if (holder !== undefined && holder.until > this.#world.now && holder.keeper !== claim.keeper)
      this.#world.fail(`${claim.keeper} got the session ${claim.session}, which ${holder.keeper} has`);
    this.#world.say(`claim ${claim.epoch} of ${claim.session} is ${claim.keeper}'s`);
    log.claims.push(claim);
    log.epoch = claim.epoch;
    log.holder = { keeper: claim.keeper, until: this.#world.now + lease };
  }

  async #append(writes: readonly Write[]): Promise<readonly WriteResult[]> {
    const results = await this.#engine.append(writes);
    for (const [index, { claim, from, entries }] of writes.entries()) {
      const log = this.logOf(claim.session);
      if (log.isRemoved) continue;
      await this.#readNew(log);
      if (results[index] !== "done") continue;
      for (const [place, text] of entries.entries())
        if (log.texts[from - 1 + place] !== text && !log.lost.has(text))
          this.#world.fail(`entry ${from + place} is done, and is not stored`);
    }
    return results;
  }

  async #readNew(log: SessionLog): Promise<void> {
    const after: Cursor | "start" = log.end;
    const page = await this.#stored.read(log.session, after, Infinity);
    if (page === "gone") this.#world.fail("the journal has lost its end");
    else for (const text of page?.entries ?? []) log.add(text);
  }

  #call<T>(program: Program, what: string, run: () => Promise<T>): Promise<T> {
    const { random } = this.#world;
    const { lost, answerLost, late, slow } = this.faults;
    const isCut = program.cutUntil > this.#world.now;
    const fate = random.next();
    const isLost = isCut || fate < lost;
    const isUntold = fate < lost + answerLost;
    // Nobody would remove a session that is made after its maker has given up.
    const isLate = what !== "create" && !isUntold && fate < lost + answerLost + late;
    const delay = random.chance(slow) ? random.from(50, 3000) : random.from(0, 3);
    return new Promise((resolve, reject) => {
      const answer = (settle: () => void): unknown =>
        this.#world.after(random.chance(slow) ? random.from(50, 3000) : random.from(0, 3), () =>
          program.deliver(settle),
        );
      const fail = (): void => {
        this.#world.say(`${program.name}: ${what} fails`);
        reject(new Error("The engine of the simulation cannot be reached"));
      };
      if (isLost) {
        this.#world.after(random.from(5, 1000), () => program.deliver(fail));
        return;
      }
      if (isLate) this.#world.after(random.from(0, delay), () => program.deliver(fail));
      this.#execute(isLate ? random.from(delay, delay + 4000) : delay, () => {
        run().then(
          (value) => (isUntold ? answer(fail) : answer(() => resolve(value))),
          (error: unknown) => answer(() => reject(error)),
        );
      });
    });
  }

  #execute(delay: number, run: () => void): void {
    this.#world.after(delay, () => {
      const wait = this.frozenUntil - this.#world.now;
      // In steps: it may go on sooner than was said.
      if (wait > 0) this.#execute(Math.min(wait, 100), run);
      else run();
    });
  }

  #wake(program: Program, wake: () => void): void {
    const { random } = this.#world;
    const times = random.chance(this.faults.wakeLost) ? 0 : random.chance(this.faults.wakeTwice) ? 2 : 1;
    for (let time = 0; time < times; time++) {
      const delay = random.chance(this.faults.slow) ? random.from(50, 3000) : random.from(0, 5);
      this.#world.after(delay, () => program.deliver(wake));
    }
  }
}

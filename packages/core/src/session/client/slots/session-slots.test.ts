import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SessionSlots, type Wish } from "./session-slots.ts";
import { isAsking, isPlaceholder, noSlot, type Slot } from "./slot.ts";
import { SlotBudgets } from "./slot-budgets.ts";
import { type SlotEvent, type SlotState, transitions } from "./slot-states.ts";

class Session {
  readonly id: string;
  readonly signal = { aborted: false };
  slot: Slot<this> = noSlot;
  readonly keepsUpdates = true;

  constructor(id: string) {
    this.id = id;
  }

  forgetUpdates(): void {}
}

function setUp() {
  const budgets = new SlotBudgets<Session>(() => {});
  return { budgets, slots: new SessionSlots<Session>(budgets) };
}

const id = "s";
const create = (): Session => new Session(id);

/** Brings the id into a state. Returns the session that is there, or another one. */
const reach: Readonly<Record<SlotState, (slots: SessionSlots<Session>) => Session>> = {
  unknown: create,
  placeholder: (slots) => slots.hold(id, create).session!,
  unclaimed: (slots) => done(create(), (session) => slots.adopt(session)),
  opening: (slots) => done(create(), (session) => slots.begin(session)),
  waiting: (slots) => slots.want(id, create).session,
  open: (slots) => done(create(), (session) => slots.open(session)),
  ended: (slots) =>
    done(create(), (session) => {
      slots.open(session);
      slots.close(session);
    }),
};

function done(session: Session, act: (session: Session) => void): Session {
  act(session);
  return session;
}

const act: Readonly<Record<SlotEvent, (slots: SessionSlots<Session>, session: Session) => unknown>> = {
  hold: (slots) => slots.hold(id, create),
  drop: (slots, session) => slots.drop(session),
  adopt: (slots, session) => slots.adopt(session),
  begin: (slots) => slots.begin(create()),
  refuse: (slots, session) => slots.refuse(session, "refused"),
  open: (slots, session) => slots.open(session),
  end: (slots, session) => slots.end(session),
  close: (slots, session) => slots.close(session),
};

/** The outcome of each event in each state. A dash means no change, since the id belongs to another session or none. */
const outcomes: Readonly<Record<SlotEvent, Readonly<Record<SlotState, SlotState | "-" | "throws">>>> = {
  hold: row("placeholder", "placeholder", "throws", "throws", "placeholder", "throws", "placeholder"),
  drop: row("throws", "unknown", "throws", "throws", "throws", "throws", "throws"),
  adopt: row("unclaimed", "unclaimed", "throws", "throws", "throws", "throws", "throws"),
  begin: row("opening", "opening", "opening", "throws", "opening", "opening", "opening"),
  refuse: row("-", "-", "-", "unknown", "-", "throws", "-"),
  open: row("open", "open", "open", "open", "open", "open", "open"),
  end: row("throws", "throws", "-", "-", "throws", "-", "throws"),
  close: row("-", "-", "ended", "ended", "-", "ended", "-"),
};

function row<T>(...[unknown, placeholder, unclaimed, opening, waiting, open, ended]: T[]): Record<SlotState, T> {
  return { unknown, placeholder, unclaimed, opening, waiting, open, ended } as Record<SlotState, T>;
}

const states = Object.keys(reach) as readonly SlotState[];
const events = Object.keys(act) as readonly SlotEvent[];
const pairs = events.flatMap((event) => states.map((state) => [event, state] as const));

describe("SessionSlots", () => {
  it.each(pairs)("%s of an id that is %s", (event, state) => {
    const { slots } = setUp();
    const session = reach[state](slots);
    expect(slots.state(id)).toBe(state);
    const before = [slots.live(id), slots.receiver(id), slots.placeholder(id)?.session];
    const outcome = outcomes[event][state];
    if (outcome === "throws") {
      expect(() => act[event](slots, session)).toThrow(`is ${state}, and cannot ${event}`);
      expect([slots.live(id), slots.receiver(id), slots.placeholder(id)?.session]).toEqual(before);
    } else act[event](slots, session);
    expect(slots.state(id)).toBe(outcome === "throws" || outcome === "-" ? state : outcome);
  });

  it("allows exactly the transitions of its table", () => {
    const may = (event: SlotEvent, state: SlotState): boolean => transitions[event].from.includes(state);
    for (const [event, state] of pairs) {
      const outcome = outcomes[event][state];
      if (outcome === "throws") expect([event, state, may(event, state)]).toEqual([event, state, false]);
      else if (outcome !== "-") expect([event, state, may(event, state)]).toEqual([event, state, true]);
    }
  });

  it("restores the earlier slot after a refused call, unless that has ended meanwhile", () => {
    for (const state of ["placeholder", "unclaimed", "open"] as const) {
      for (const hasEnded of [false, true]) {
        const { slots, budgets } = setUp();
        const before = reach[state](slots);
        const loading = create();
        slots.begin(loading);
        expect([slots.receiver(id) === loading, slots.state(id)]).toEqual([true, "opening"]);
        before.signal.aborted = hasEnded;
        slots.refuse(loading, "why");
        expect([state, hasEnded, slots.state(id)]).toEqual([state, hasEnded, hasEnded ? "unknown" : state]);
        expect([loading.slot.state, loading.slot.refusal]).toEqual(["waiting", "why"]);
        expect([...budgets.unclaimed()]).toEqual(state === "unclaimed" && !hasEnded ? [before] : []);
      }
    }
  });

  it("a call opens the session that holds the agent's requests, and the next requests go to the session about to open", () => {
    const { slots } = setUp();
    const held = slots.hold(id, create).session;
    const wish = slots.want(id, create);
    expect(wish.session).toBe(held);
    // Two calls never open the same session.
    const other = slots.want(id, create);
    expect(other.session).not.toBe(held);
    slots.drop(held!);
    expect(slots.state(id)).toBe("waiting");
    expect(slots.hold(id, create).session).toBe(held);
    held!.signal.aborted = true;
    slots.drop(held!);
    expect(slots.hold(id, create).session).toBe(other.session);
    for (const one of [wish, other]) slots.unwant(one);
    expect(slots.isWanted(id)).toBe(false);
  });

  it("counts calls that end a session on that session and on the one it replaces, in any outcome", () => {
    const { slots } = setUp();
    const old = reach.open(slots);
    const loading = create();
    slots.begin(loading);
    const first = slots.end(loading);
    const second = slots.end(loading);
    slots.open(loading);
    expect([old.slot.endings, loading.slot.endings]).toEqual([2, 2]);
    slots.afterEnd(first);
    expect([old.slot.endings, loading.slot.endings]).toEqual([1, 1]);
    slots.afterEnd(second);
    expect([old.slot.endings, loading.slot.endings]).toEqual([0, 0]);
  });

  it("gives an id one receiver, after any events", () => {
    const step = fc.record({ id: fc.constantFrom("a", "b"), what: fc.constantFrom(...steps), pick: fc.nat(20) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (walk) => {
        const run = new Walk();
        for (const { id: of, what, pick } of walk) {
          run[what](of, pick);
          run.check();
        }
      }),
      { numRuns: 500 },
    );
  });
});

const steps = ["hold", "drop", "adopt", "want", "begin", "refuse", "answer", "settle", "close", "give"] as const;

/** A random walk that uses the slots as a client does: a replaced or dropped session ends. */
class Walk {
  readonly #made: Session[] = [];
  readonly #slots: SessionSlots<Session>;
  readonly #budgets = new SlotBudgets<Session>(() => {});
  #wishes: Wish<Session>[] = [];

  constructor() {
    this.#slots = new SessionSlots(this.#budgets);
  }

  readonly #make = (of: string): Session => {
    const session = new Session(of);
    this.#made.push(session);
    return session;
  };

  hold(of: string): void {
    if (this.#slots.receiver(of) === undefined && this.#slots.placeholder(of) === undefined)
      this.#slots.hold(of, () => this.#make(of)).hasQuestions = true;
  }

  drop(of: string): void {
    const held = this.#slots.placeholder(of)?.session;
    if (held === undefined || this.#slots.isWanted(of)) return;
    this.#slots.drop(held);
    held.signal.aborted = true;
  }

  adopt(of: string, pick: number): void {
    if (!this.#slots.mayAdopt(of)) return;
    const held = this.#slots.placeholder(of)?.session;
    this.#slots.adopt(held !== undefined && pick % 2 === 0 ? held : this.#make(of));
    if (held !== undefined && pick % 2 === 1) held.signal.aborted = true;
  }

  want(of: string): void {
    if (this.#wishes.length < 4) this.#wishes.push(this.#slots.want(of, () => this.#make(of)));
  }

  begin(of: string, pick: number): void {
    const wish = this.#pick(of, pick);
    if (wish !== undefined && !wish.session.signal.aborted && this.#slots.state(of) !== "opening")
      this.#slots.begin(wish.session);
  }

  refuse(of: string): void {
    const session = this.#slots.live(of);
    if (session?.slot.state === "opening") this.#slots.refuse(session, "refused");
  }

  answer(of: string): void {
    const session = this.#slots.live(of);
    if (session?.slot.state !== "opening") return;
    const { before } = session.slot;
    this.#slots.open(session);
    if (before?.session !== undefined && before.session !== session && before.state !== "placeholder")
      before.session.signal.aborted = true;
    this.#wishes = this.#wishes.filter((wish) => {
      if (wish.session === session) this.#slots.unwant(wish);
      return wish.session !== session;
    });
  }

  settle(of: string): void {
    const earlier = this.#slots.live(of);
    const before = earlier?.slot.before?.session;
    this.#slots.open(this.#slots.unopened(of) ?? this.#make(of));
    for (const one of [earlier, before]) if (one !== undefined) one.signal.aborted = true;
  }

  close(of: string): void {
    const session = this.#slots.receiver(of);
    if (session === undefined) return;
    const before = session.slot.before?.session;
    for (const one of [session, before]) if (one !== undefined) one.signal.aborted = true;
    this.#slots.close(session);
  }

  /** Cancels a call that is not in flight. */
  give(of: string, pick: number): void {
    const wish = this.#pick(of, pick);
    if (wish === undefined || this.#slots.live(of) === wish.session) return;
    wish.session.signal.aborted = true;
    this.#slots.unwant(wish);
    this.#wishes = this.#wishes.filter((one) => one !== wish);
    const held = this.#slots.placeholder(of)?.session;
    if (held?.signal.aborted === true) this.#slots.drop(held);
    this.#slots.bury(of);
  }

  check(): void {
    for (const of of ["a", "b"]) {
      const receiver = this.#slots.receiver(of);
      const replaced = receiver?.slot.before;
      const live = this.#made.filter((one) => one.id === of && !one.signal.aborted);
      // An open or unclaimed session receives, or comes back if the agent refuses the call that replaces it.
      const attached = live.filter(({ slot }) => slot.state === "open" || slot.state === "unclaimed");
      for (const one of attached) expect([receiver, replaced?.session]).toContain(one);
      expect(attached.length).toBeLessThanOrEqual(1);
      const state = this.#slots.state(of);
      expect(receiver !== undefined).toBe(["open", "opening", "unclaimed"].includes(state));
      if (receiver !== undefined) expect([receiver.slot.state, receiver.slot.session]).toEqual([state, receiver]);
      // Any other session is a placeholder, or a call is about to open it.
      const known = [...attached, receiver, this.#slots.placeholder(of)?.session];
      const wished = this.#wishes.map(({ session }) => session);
      const held = replaced?.state === "placeholder" ? replaced.session : undefined;
      for (const one of live) expect([...known, ...wished, held]).toContain(one);
    }
    const slots = this.#slots
      .values(() => true)
      .flatMap((slot) => (slot.before === undefined ? [slot] : [slot, slot.before]));
    expect(slots.filter(isAsking).length).toBe(slots.filter(isPlaceholder).length);
    const unclaimed = slots.filter(({ state }) => state === "unclaimed").map(({ session }) => session);
    expect(new Set(this.#budgets.unclaimed())).toEqual(new Set(unclaimed));
  }

  #pick(of: string, pick: number): Wish<Session> | undefined {
    const wishes = this.#wishes.filter((wish) => wish.id === of);
    return wishes[pick % wishes.length];
  }
}

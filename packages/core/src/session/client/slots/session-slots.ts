import { readSessionId } from "../../../rpc/request-table.ts";
import { EndedSessions } from "./ended-sessions.ts";
import { isLive, replacedBy, type Slot } from "./slot.ts";
import { type SlotEvent, type SlotState, transitions } from "./slot-states.ts";

/** A session, as far as the slots know it. */
export interface SlotSession {
  readonly id: string;
  readonly signal: { readonly aborted: boolean };
  slot: Slot<this>;
}

/** A session that a call is to open. */
export interface Wish<S> {
  readonly id: string;
  session: S;
}

/** Called when a slot starts and ends, and when one is kept while a call opens another session in its place. */
export interface SlotWatcher<S> {
  added(slot: Slot<S>): void;
  removed(slot: Slot<S>): void;
}

/** The state of each id on a client, and the only place that changes it. An id has one receiver at most. */
export class SessionSlots<S extends SlotSession> {
  readonly #watcher: SlotWatcher<S>;
  readonly #slots = new Map<string, Slot<S>>();
  readonly #ended = new EndedSessions();
  /** The sessions that calls are to open: the calls are in flight, or wait for a login. */
  readonly #wanted = new Map<string, Set<Wish<S>>>();

  constructor(watcher: SlotWatcher<S>) {
    this.#watcher = watcher;
  }

  state(id: string): SlotState {
    const slot = this.#slots.get(id);
    if (slot !== undefined) return slot.state;
    if (this.#wanted.has(id)) return "waiting";
    return this.#ended.has(id) ? "ended" : "unknown";
  }

  /** The session that is live: open, or being opened by this id. */
  live(id: string): S | undefined {
    const slot = this.#slots.get(id);
    return slot !== undefined && isLive(slot) ? slot.session : undefined;
  }

  /** The {@link live} session that params or a result name. */
  liveFor(value: unknown): S | undefined {
    const id = readSessionId(value);
    return id === undefined ? undefined : this.live(id);
  }

  /** The session that receives the agent's messages under an id. */
  receiver(id: string): S | undefined {
    const slot = this.#slots.get(id);
    return slot === undefined || slot.state === "placeholder" ? undefined : slot.session;
  }

  /** The {@link receiver} that params name. */
  receiverFor(params: unknown): S | undefined {
    const id = readSessionId(params);
    return id === undefined ? undefined : this.receiver(id);
  }

  /** The one that the agent requests something in before it is open, unless it was closed. */
  placeholder(id: string): Slot<S> | undefined {
    const slot = this.#slots.get(id);
    return slot?.state === "placeholder" && slot.session?.signal.aborted === false ? slot : undefined;
  }

  /** The session of an id that is not open: the agent asks in it, or works in it by itself. */
  unopened(id: string): S | undefined {
    const slot = this.#slots.get(id);
    return slot !== undefined && !isLive(slot) ? slot.session : undefined;
  }

  /** The slots that fit: those of parents before those of their subagents. */
  values(fits: (slot: Slot<S>) => boolean): readonly Slot<S>[] {
    return [...this.#slots.values()].filter(fits);
  }

  /** The {@link live} sessions. */
  allLive(): readonly S[] {
    return this.values(isLive).map(({ session }) => session!);
  }

  /** Whether a call is to open the id. */
  isWanted(id: string): boolean {
    return this.#wanted.has(id);
  }

  /** A call will open the id. It gets the session of the placeholder, or a new one if another call will open that session. */
  want(id: string, create: () => S): Wish<S> {
    const wishes = this.#wanted.get(id) ?? new Set();
    const held = this.placeholder(id)?.session;
    const isTaken = held === undefined || [...wishes].some(({ session }) => session === held);
    const wish = { id, session: isTaken ? create() : held };
    this.#wanted.set(id, wishes.add(wish));
    return wish;
  }

  /** The call is over. */
  unwant(wish: Wish<S>): void {
    const wishes = this.#wanted.get(wish.id);
    wishes?.delete(wish);
    if (wishes?.size === 0) this.#wanted.delete(wish.id);
  }

  /** Whether a session that the agent uses under this id is one that nobody has asked for. */
  mayAdopt(id: string): boolean {
    return transitions.adopt.from.includes(this.state(id)) && !this.#ended.has(id) && !this.isWanted(id);
  }

  /** The agent requests something in a session that may be open soon: in the one that is to open, if there is one. */
  hold(id: string, create: () => S): Slot<S> {
    const wished = [...(this.#wanted.get(id) ?? [])].find(({ session }) => !session.signal.aborted);
    return this.#move("hold", wished?.session ?? create())!;
  }

  /** Whether it is the session of a placeholder. */
  isHeld(session: S): boolean {
    return this.placeholder(session.id)?.session === session;
  }

  drop(session: S): void {
    this.#move("drop", session);
  }

  /** The session of a placeholder may be replaced by another one. */
  adopt(session: S): void {
    const held = this.#slots.get(session.id);
    this.#move("adopt", session);
    // Its files and terminals are those of an unclaimed session.
    if (held?.session !== undefined) held.session.slot = session.slot;
  }

  begin(session: S): void {
    this.#move("begin", session);
  }

  /** The agent refused the call: the earlier slot continues, unless another session took its place meanwhile. */
  refuse(session: S, refusal: unknown): void {
    if (this.live(session.id) === session) this.#move("refuse", session, refusal);
    else session.slot = { state: "waiting", session, refusal, endings: 0 };
  }

  open(session: S): void {
    this.#move("open", session);
  }

  /** A call ends the session, and the one that it is to replace. Returns both. */
  end(session: S): readonly S[] {
    this.#move("end", session);
    const replaced = replacedBy<S>(session.slot);
    const ending = replaced === undefined ? [session] : [session, replaced];
    for (const one of ending) one.slot.endings++;
    return ending;
  }

  /** The call is over. */
  afterEnd(ending: readonly S[]): void {
    for (const one of ending) one.slot.endings--;
  }

  /** A session has ended. Does nothing if its id belongs to another one by now. */
  close(session: S): void {
    if (this.receiver(session.id) !== session) return;
    this.#move("close", session);
    this.#ended.add(session.id);
  }

  /** The id could not be opened, or the wait for it is over. */
  bury(id: string): void {
    if (this.receiver(id) === undefined) this.#ended.add(id);
  }

  clear(): void {
    this.#slots.clear();
  }

  /** Changes the slot of an id; nothing else does. */
  #move(event: SlotEvent, session: S, refusal?: unknown): Slot<S> | undefined {
    const { id } = session;
    const { from, to } = transitions[event];
    const state = this.state(id);
    if (!from.includes(state)) throw new Error(`The session '${id}' is ${state}, and cannot ${event}`);
    const slot = this.#slots.get(id);
    if (to === "same") return slot;
    if (to === "back") return this.#back(slot!, refusal);
    if (to !== "opening" && slot !== undefined) this.#remove(slot);
    // A live one keeps its place. Others come last: subagents behind their parents.
    if (slot === undefined || !isLive(slot)) this.#slots.delete(id);
    if (to === "none") {
      this.#slots.delete(id);
      return undefined;
    }
    if (to === "open") this.#ended.delete(id);
    const endings = session.slot.endings;
    const next: Slot<S> = { state: to, session, endings, before: to === "opening" ? slot : undefined };
    session.slot = next;
    this.#slots.set(id, next);
    this.#watcher.added(next);
    return next;
  }

  /** The slot before comes back, unless its session has ended. */
  #back({ session, before, endings }: Slot<S>, refusal: unknown): undefined {
    const id = session!.id;
    session!.slot = { state: "waiting", session, refusal, endings };
    if (before?.session === undefined || before.session.signal.aborted) {
      if (before !== undefined) this.#watcher.removed(before);
      this.#slots.delete(id);
      return;
    }
    // A session that is still a placeholder may be closed while the user logs in.
    const next = before.session === session ? { ...before, refusal } : before;
    before.session.slot = next;
    this.#slots.set(id, next);
  }

  #remove(slot: Slot<S>): void {
    this.#watcher.removed(slot);
    if (slot.before !== undefined) this.#watcher.removed(slot.before);
  }
}

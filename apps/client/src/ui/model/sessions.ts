import { type Agent, type Login, type Session, type WayBack, wayBack } from "../../protocol/agent.ts";
import type { Overlay, SessionEntry } from "../chat-state.ts";
import { selectOptions } from "../../protocol/select-options.ts";
import type { NamedSession } from "../../sessions/named-session.ts";
import { forgotten, type SessionRecorder } from "../../sessions/session-recorder.ts";
import { ChosenOptions } from "./chosen-options.ts";
import type { AgentLife } from "./agent-life.ts";
import { type Notes, OpenSession } from "./open-session.ts";
import type { SourceContext } from "./source.ts";
import type { UiOptions } from "../../chat/chat-options.ts";

/** What sessions need from the program around them. */
export interface SessionsContext {
  readonly options: UiOptions;
  readonly recorder: SessionRecorder;
  readonly life: AgentLife;
  readonly notes: Notes;
  readonly source: SourceContext;
  readonly quit: AbortSignal;
  takeTerminalLogin(): Login | undefined;
  /** The user leaves a session: what is open in its transcript stays as it is. */
  left(open: OpenSession): void;
  /** The user is in this session from now on. `isKnown`: the user was in it before the agent has ended. */
  entered(open: OpenSession, isKnown: boolean): void;
  changed(): void;
}

/** The open sessions, and the one that the user is in. */
export class Sessions {
  /** What new sessions get. */
  readonly chosen = new ChosenOptions();
  readonly #context: SessionsContext;
  readonly #open = new Map<Session, OpenSession>();
  #current: OpenSession | undefined;
  #opening: Promise<OpenSession> | undefined;
  /** The session to go on with when the agent has started again. */
  #lost: string | undefined;
  #isFirst = true;
  /** The last list, so that the user can name sessions by number. */
  #listed: readonly SessionEntry[] = [];

  constructor(context: SessionsContext) {
    this.#context = context;
  }

  get current(): OpenSession | undefined {
    return this.#current;
  }

  get all(): Iterable<OpenSession> {
    return this.#open.values();
  }

  /** The session that the user is in; opens one, if there is none. */
  get(): Promise<OpenSession> {
    if (this.#current !== undefined) return Promise.resolve(this.#current);
    this.#opening ??= this.#openFirst().finally(() => (this.#opening = undefined));
    return this.#opening;
  }

  /** This session of the user; a new one becomes known when the agent tells something about it. */
  of(session: Session): OpenSession {
    const known = this.#open.get(session);
    if (known !== undefined) return known;
    const open = new OpenSession(session, this.#context.source);
    this.#open.set(session, open);
    session.signal.addEventListener("abort", () => this.#forget(open), { once: true });
    if (session.signal.aborted) this.#forget(open);
    return open;
  }

  find(sessionId: string): OpenSession | undefined {
    return [...this.#open.values()].find(({ session }) => session.id === sessionId);
  }

  /** The session id for an argument: an id, or a number of the last list. */
  idOf(argument: string): string {
    return (/^\d+$/u.test(argument) ? this.#listed[Number(argument) - 1]?.sessionId : undefined) ?? argument;
  }

  async enterNew(): Promise<void> {
    const { cwd } = this.#context.options;
    await this.#enter((agent) => agent.newSession(cwd), "new");
  }

  /** Goes to another session: to one that is open, or opens it. */
  async enter(sessionId: string, how: WayBack): Promise<void> {
    const open = this.find(sessionId);
    if (open !== undefined) return this.#switchTo(open);
    const { cwd } = this.#context.options;
    await this.#enter((agent) => agent.reopenSession(sessionId, cwd, how), how);
  }

  /** Closes the session that the user is in. */
  async closeCurrent(): Promise<void> {
    const { life, notes } = this.#context;
    const open = this.#current;
    if (open === undefined) return notes.add("info", "No session is open. The next prompt opens one");
    if (life.agent?.can.close === true) await open.session.close();
    this.#forget(open);
    notes.add("info", `Closed ${open.title ?? open.session.id}. The next prompt opens a new session`);
  }

  /** Lists the sessions of the directory for the user to choose from: `show` gets a longer list again and again. */
  async list(show: (overlay: Overlay & { readonly kind: "sessions" }) => boolean): Promise<void> {
    const sessions: SessionEntry[] = [...this.#open.values()].map(({ session, title }) => ({
      sessionId: session.id,
      title,
      updatedAt: undefined,
      isOpen: true,
    }));
    const { life, options, quit } = this.#context;
    const { agent } = life;
    const canList = agent?.can.list === true;
    this.#listed = sessions;
    if (!show({ kind: "sessions", sessions: [...sessions], isComplete: !canList }) || !canList) return;
    for await (const { sessionId, title, updatedAt } of agent.listSessions(options.cwd, quit)) {
      const index = sessions.findIndex((one) => one.sessionId === sessionId);
      const isOpen = this.find(sessionId) !== undefined;
      const entry = { sessionId, title: title ?? sessions[index]?.title, updatedAt: updatedAt ?? undefined, isOpen };
      if (index < 0) sessions.push(entry);
      else sessions[index] = entry;
      if (!show({ kind: "sessions", sessions: [...sessions], isComplete: false })) return;
    }
    show({ kind: "sessions", sessions, isComplete: true });
  }

  /** The agent has ended, and its sessions with it. */
  lose(): void {
    this.#lost = this.#current?.session.id ?? this.#lost;
    for (const open of this.all) this.#forget(open);
  }

  async #openFirst(): Promise<OpenSession> {
    const { options, life, notes, recorder } = this.#context;
    const { load } = options;
    const agent = await life.start();
    const lost = this.#lost;
    this.#lost = undefined;
    if (lost !== undefined && (await this.#reopen(agent, lost))) return this.get();
    const known = this.#isFirst ? recorder.known : undefined;
    if (known !== undefined) await this.#openAgain(known);
    else if (this.#isFirst && load !== undefined) await this.enter(load, wayBack(agent.can, "load") ?? "load");
    else await this.enterNew();
    if (lost !== undefined) notes.add("info", "This is a new session: the agent does not continue the one before");
    const open = this.#current;
    if (open === undefined) throw new Error("The session was closed while it was opened");
    if (this.#isFirst) recorder.opened(open.session);
    this.#isFirst = false;
    return open;
  }

  /** Goes on in a session of another day. */
  async #openAgain(known: NamedSession): Promise<void> {
    const { recorder, notes } = this.#context;
    let before = { history: "", isForgotten: false };
    await this.#enter(async (agent) => {
      const opened = await recorder.openAgain(known, agent);
      before = opened;
      return opened.session;
    }, "load");
    if (before.history !== "") this.#current?.scene.add({ kind: "agent", text: before.history, isOpen: false });
    if (before.isForgotten) notes.add("info", forgotten);
  }

  /** Sets what the command line and the configuration want, also in each later session. Returns what was wrong. */
  async #selectWanted(session: Session): Promise<readonly string[]> {
    const failures: string[] = [];
    for (const wanted of this.#context.options.wanted) {
      try {
        for (const [option, value] of await selectOptions(session, [wanted])) this.chosen.remember(option, value);
      } catch (error) {
        failures.push(await this.#context.life.describe(error));
      }
    }
    return failures;
  }

  /** Goes on in a session of an agent that has died. What the agent replays is on the screen already. */
  async #reopen(agent: Agent, sessionId: string): Promise<boolean> {
    const { options, notes } = this.#context;
    const how = wayBack(agent.can, "resume");
    if (how === undefined) return false;
    try {
      await this.#enter((one) => one.reopenSession(sessionId, options.cwd, how), how, true);
      notes.add("info", "The agent has started again, and the session goes on");
      return true;
    } catch (error) {
      notes.add("warning", await this.#context.life.describe(error));
      return false;
    }
  }

  async #enter(call: (agent: Agent) => Promise<Session>, how: "new" | WayBack, isAgain = false): Promise<void> {
    const { life, notes } = this.#context;
    const session = await life.withLogin(
      () => life.limited(`session/${how}`, call),
      () => this.#context.takeTerminalLogin(),
    );
    const open = this.of(session);
    // Before the user is in it, to whom nothing has changed then.
    const wrong = this.#isFirst ? await this.#selectWanted(session) : [];
    const missed = how === "new" ? await this.chosen.apply(session, (error) => life.describe(error)) : [];
    open.scene.opened(isAgain);
    this.#switchTo(open, isAgain);
    for (const note of wrong) notes.add("error", note, open);
    for (const note of missed) notes.add("warning", note, open);
  }

  #switchTo(open: OpenSession, isKnown = false): void {
    if (open === this.#current) return;
    if (this.#current !== undefined) this.#context.left(this.#current);
    this.#current = open;
    this.#context.entered(open, isKnown);
    this.#context.changed();
  }

  #forget(open: OpenSession): void {
    if (!this.#open.delete(open.session)) return;
    if (open === this.#current) {
      this.#context.left(open);
      this.#current = undefined;
    }
    this.#context.changed();
  }
}

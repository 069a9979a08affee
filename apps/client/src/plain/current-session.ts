import { type Agent, type Session, type WayBack, wayBack } from "../protocol/agent.ts";
import { selectOptions } from "../protocol/select-options.ts";
import { within } from "../protocol/time-limit.ts";
import { withLogin } from "../protocol/with-login.ts";
import type { RunOptions } from "../chat/chat-options.ts";
import type { NamedSession } from "../sessions/named-session.ts";
import { forgotten } from "../sessions/session-recorder.ts";
import type { UserInterface } from "./user-interface.ts";

/** The running agent and the current session. A login in a terminal replaces both (AUTH-14). */
export class CurrentSession {
  agent: Agent;
  /** The ids in the last list, so that the user can name sessions by number. */
  listedIds: string[] = [];
  readonly #options: RunOptions;
  readonly #ui: UserInterface;
  #session: Session | undefined;

  constructor(agent: Agent, options: RunOptions, ui: UserInterface) {
    this.agent = agent;
    this.#options = options;
    this.#ui = ui;
  }

  get cwd(): string {
    return this.#options.cwd;
  }

  /** The session id for an argument: a number of the last list, an id, or nothing for the current session. */
  idOf(argument: string): string {
    if (argument === "") return this.#session?.id ?? "";
    return (/^\d+$/u.test(argument) ? this.listedIds[Number(argument) - 1] : undefined) ?? argument;
  }

  /** The current session; `undefined` if there is none, or it was closed or deleted. */
  get open(): Session | undefined {
    return this.#session?.signal.aborted === false ? this.#session : undefined;
  }

  /** The current session; opens one, as the command line says, if there is none. */
  async get(): Promise<Session> {
    if (this.open !== undefined) return this.open;
    const { load } = this.#options;
    const { recorder } = this.#ui;
    const isFirst = this.#session === undefined;
    const known = isFirst ? recorder.known : undefined;
    const session =
      known !== undefined
        ? await this.#enter("session/load", () => this.#openAgain(known))
        : isFirst && load !== undefined
          ? await this.#enter("session/load", () => this.#openFirst(load))
          : await this.#enter("session/new", () => this.#openNew());
    this.#session = session;
    if (isFirst) recorder.opened(session);
    return session;
  }

  async enterNew(): Promise<void> {
    this.#session = await this.#enter("session/new", () => this.#openNew());
  }

  /** Switches to an earlier session; `argument`: see {@link idOf}. */
  async enterEarlier(argument: string, how: WayBack): Promise<void> {
    const sessionId = this.idOf(argument);
    this.#session = await this.#enter(`session/${how}`, () => this.agent.reopenSession(sessionId, this.cwd, how));
  }

  async logIn(methodId: string): Promise<void> {
    const before = this.agent;
    this.agent = await this.#ui.lendTerminal(() => before.logIn(methodId, this.#ui.quit));
    // A login in a terminal returns a new process, and sessions belong to the old one.
    if (this.agent !== before) this.#session = undefined;
  }

  /** Calls the agent. If it asks for a login in a terminal and that succeeds, calls it again. */
  withLogin<Result>(call: () => Promise<Result>): Promise<Result> {
    return withLogin(
      call,
      () => this.#ui.takeTerminalLogin(),
      (loginId) => this.logIn(loginId),
    );
  }

  #enter(method: string, open: () => Promise<Session>): Promise<Session> {
    const ui = this.#ui;
    const asked = ui.askedQuestions;
    const limited = (): Promise<Session> =>
      within(this.#options.startTimeout, method, open(), () => ui.askedQuestions > asked);
    return ui.enter(() => this.withLogin(limited));
  }

  async #openNew(): Promise<Session> {
    return this.#select(await this.agent.newSession(this.cwd));
  }

  async #openFirst(load: string): Promise<Session> {
    const how = wayBack(this.agent.can, "load") ?? "load";
    return this.#select(await this.agent.reopenSession(load, this.cwd, how));
  }

  async #select(session: Session): Promise<Session> {
    await selectOptions(session, this.#options.wanted);
    return session;
  }

  /** Goes on in a session of another day. */
  async #openAgain(known: NamedSession): Promise<Session> {
    const { recorder, transcript } = this.#ui;
    const { session, history, isForgotten } = await recorder.openAgain(known, this.agent);
    if (history !== "") transcript.note(history);
    if (isForgotten) transcript.note(forgotten);
    return this.#select(session);
  }
}

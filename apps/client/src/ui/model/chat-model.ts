import { firstLine, type Report, type TerminalTail } from "@acp/render";

import { programName } from "../../protocol/program-name.ts";
import type { Login, Session } from "../../protocol/agent.ts";
import { Interrupts } from "../../cli/interrupts.ts";
import type { ChatActions, ChatCommand, ChatItem, ChatItems, ChatState, Overlay, Prompt } from "../chat-state.ts";
import { AgentLife } from "./agent-life.ts";
import { createActions } from "./chat-actions.ts";
import { createEvents } from "./chat-events.ts";
import { Frames, reportsPerFrame } from "./frames.ts";
import { ItemList } from "./item-list.ts";
import { modeOf } from "./chosen-options.ts";
import type { SessionRecorder } from "../../sessions/session-recorder.ts";
import type { OpenSession } from "./open-session.ts";
import { type CommandTarget, ownCommands } from "./own-commands.ts";
import { QuestionList } from "./question-list.ts";
import type { LocalItem } from "./scene.ts";
import { ShellRuns } from "./shell-runs.ts";
import { Sessions } from "./sessions.ts";
import { type AttachmentBlocks, Turns } from "./turns.ts";
import type { UiOptions } from "../../chat/chat-options.ts";
import { WaitTimes } from "./wait-times.ts";

/** How long a hint stays, in milliseconds. */
const hintTime = 3_000;

/** What the model needs from the terminal. */
export interface ModelHost {
  readonly options: UiOptions;
  readonly recorder: SessionRecorder;
  readonly attachmentBlocks: AttachmentBlocks;
  /** Lends the terminal to another program while `run` lasts. */
  lendTerminal<Result>(run: () => Promise<Result>): Promise<Result>;
  /** Whether there is a user who can answer, and one who has a terminal. Default: there is. */
  readonly isAttended?: boolean;
  readonly hasTerminal?: boolean;
  /** Whether each state counts, as where it is printed: only a message that grows may skip some. */
  readonly showsAll?: boolean;
  /** Waits until what is shown can be written; `undefined` if it can. */
  room?(): Promise<void> | undefined;
  /** Takes a detail for `--verbose`. Default: a note. */
  detail?(line: string): void;
  /** Opens a page of which the user agreed to all that is odd about it. Returns whether a browser started. */
  openInBrowser(url: string): Promise<boolean>;
}

/** Makes the {@link ChatState} of what the agent tells and the user does. */
export class ChatModel {
  readonly actions: ChatActions;
  readonly life: AgentLife;
  readonly sessions: Sessions;
  readonly turns: Turns;
  readonly questions: QuestionList;
  readonly host: ModelHost;
  readonly interrupts: Interrupts;
  readonly shell: ShellRuns;
  overlay: Overlay | undefined;
  thoughts: ChatState["thoughts"];
  /** Whether it was Ctrl-C that ended it. */
  isInterrupted = false;
  /** What was not permitted, since there is nobody to ask. */
  readonly refused: string[] = [];
  readonly #frames = new Frames(() => this.#draw());
  readonly #listeners = new Set<() => void>();
  readonly #quit = new AbortController();
  readonly #kill = new AbortController();
  readonly #terminals = new Map<string, TerminalTail>();
  readonly #waits = new WaitTimes();
  readonly #final: ChatItem[] = [];
  #state: ChatState;
  #lastId = 0;
  #reports = 0;
  /** What the last report was about. */
  #topic: unknown;
  /** How much runs that the user has begun. */
  #tasks = 0;
  #idle: (() => void)[] = [];
  #lateText = "";
  #hint: string | undefined;
  #returned: readonly Prompt[] = none;
  #hintTimer: ReturnType<typeof setTimeout> | undefined;
  #terminalLogin: Login | undefined;
  #commands: { readonly key: readonly unknown[]; readonly list: readonly ChatCommand[] } | undefined;
  /** The turn that Ctrl-C cancels. */
  #cancellable: { readonly turn: object; readonly ended: () => void } | undefined;

  constructor(host: ModelHost) {
    this.host = host;
    const { options } = host;
    this.thoughts = options.thoughts;
    const changed = (): void => this.#frames.request();
    this.questions = new QuestionList(changed);
    const context = {
      options,
      recorder: host.recorder,
      quit: this.#quit.signal,
      kill: this.#kill.signal,
      changed,
      notes: {
        add: (level: "info" | "warning" | "error", text: string, open?: OpenSession) => this.note(level, text, open),
      },
      takeTerminalLogin: () => this.#takeTerminalLogin(),
    };
    const { isAttended = true, hasTerminal = true } = host;
    const events = createEvents({
      isAttended,
      hasTerminal,
      refused: (summary) => this.refused.push(summary),
      permissions: options,
      terminals: this.#terminals,
      waits: this.#waits,
      agentName: () => this.life.state.name,
      show: (report, session) => this.#show(report, session),
      ask: (question, sessionId, signal) => {
        this.#tellOfQuestion(sessionId);
        return this.questions.ask(question, sessionId, AbortSignal.any([signal, this.quit]));
      },
      add: (item, sessionId) => this.add(item, sessionId === undefined ? undefined : this.sessions.find(sessionId)),
      terminalLogin: (login) => (this.#terminalLogin = login),
      changed,
    });
    this.life = new AgentLife({
      ...context,
      name: programName(options.agent.command, options.agent.args),
      events,
      died: (reason) => this.attempt(this.#died(reason)),
      detail: (line) => (host.detail === undefined ? this.note("info", line) : host.detail(line)),
      asked: () => this.questions.count,
      lendTerminal: (run) => host.lendTerminal(run),
    });
    this.sessions = new Sessions({
      ...context,
      life: this.life,
      source: {
        nextId: () => (this.#lastId += 1),
        terminal: (id) => this.#terminals.get(id),
        waited: (...call) => this.#waits.of(...call),
        pasted: () => this.turns.pasted,
        changed: () => {
          // Before what the agent says next.
          this.#tellOfMode(this.sessions.current);
          changed();
        },
      },
      left: (open) => this.#final.push(...open.scene.leave()),
      entered: (open, isKnown) => this.#entered(open, isKnown),
    });
    this.turns = new Turns({
      ...context,
      changed: () => this.#drawAll(),
      life: this.life,
      attachmentBlocks: host.attachmentBlocks,
      session: () => this.session(),
      current: () => this.sessions.current,
      giveBack: (prompts) => this.giveBack(prompts),
    });
    this.shell = new ShellRuns({
      ...context,
      start: (line, signal) => this.life.runInShell(line, signal),
      follow: ({ id, view }) => {
        events.terminal(id, view);
        return this.#terminals.get(id);
      },
      nextId: () => (this.#lastId += 1),
      add: (entry) => this.sessions.current?.scene.addEntry(entry),
      addFinal: (item) => this.#addFinal(item),
      hint: (text) => this.hint(text),
    });
    this.interrupts = new Interrupts({
      hint: (text) => this.hint(text),
      disarmed: () => this.#dropHint(),
      quit: () => this.endWaiting(),
      kill: () => this.#kill.abort(),
    });
    this.actions = createActions(this);
    this.#state = this.#makeState([]);
  }

  /** What is shown now. */
  get state(): ChatState {
    return this.#state;
  }

  get quit(): AbortSignal {
    return this.#quit.signal;
  }

  /** Calls `listener` after each change of the state. Returns a function that unsubscribes it. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Runs until the user quits. @throws if the agent cannot be started at all. */
  async run(): Promise<void> {
    const { options } = this.host;
    this.#tasks += 1;
    const quit = new Promise<void>((resolve) => this.quit.addEventListener("abort", () => resolve(), { once: true }));
    try {
      const agent = await Promise.race([this.life.start(), quit]);
      if (agent === undefined || this.quit.aborted) return;
      this.note("info", firstLine(agent, this.life.state.name, options.cwd));
      if (agent.version < options.protocol)
        this.note(
          "info",
          `The agent does not support version ${options.protocol} of ACP. The client uses version ${agent.version}`,
        );
      const { problems, remarks } = options.setup;
      const missing = [...problems, ...agent.leftOut].join("\n");
      if (missing !== "") this.note("warning", missing);
      if (remarks.length > 0) this.note("info", remarks.join("\n"));
      const { login } = options;
      const isIn = login === undefined || (await Promise.race([this.#attempt(this.life.logIn(login)), quit]));
      const opened = isIn === true ? this.turns.open() : Promise.resolve();
      void opened.finally(() => this.interrupts.sessionOpened());
      this.#tasks -= 1;
      await quit;
    } catch (error) {
      if (!this.quit.aborted) throw error;
    } finally {
      this.endWaiting();
      this.interrupts.beginEnd();
      const { current } = this.sessions;
      if (current !== undefined) this.life.late.begin(current.session, (report) => this.#hearLate(report, current));
      await this.life.close();
      this.interrupts.ended();
      this.sessions.lose();
      if (this.#lateText !== "") this.add({ kind: "agent", text: this.#lateText, isOpen: false });
      this.#frames.flush();
      this.#frames.stop();
      clearTimeout(this.#hintTimer);
    }
  }

  /** Settles once nothing runs that the user has begun, and all of it is shown. */
  idle(): Promise<void> {
    this.changed();
    return new Promise((resolve) => void this.#idle.push(resolve));
  }

  /** The user quits: nothing is waited for any more. */
  endWaiting(): void {
    this.#quit.abort(new DOMException("The user has quit", "AbortError"));
  }

  /** The session that the user is in; opens one, if there is none, and says what keeps it from that. */
  async session(): Promise<OpenSession> {
    try {
      return await this.sessions.get();
    } catch (error) {
      if (!this.quit.aborted) this.note("error", await this.life.describe(error));
      throw error;
    }
  }

  /** Does something for the user, and says why if it fails. */
  attempt(task: Promise<unknown>): void {
    void this.#attempt(task);
  }

  note(level: "info" | "warning" | "error", text: string, open?: OpenSession): void {
    this.add({ kind: "note", level, text }, open);
  }

  /** Adds an item to a session. Default: the one that the user is in. */
  add(item: LocalItem, open: OpenSession | undefined = this.sessions.current): void {
    if (open === undefined) this.#addFinal({ ...item, id: (this.#lastId += 1) });
    else open.scene.add(item);
    this.#drawAll();
  }

  #addFinal(item: ChatItem): void {
    this.#final.push(item);
    this.changed();
  }

  /** Shows a line for a moment, or until the end while this program ends. What the line before offered ends with it. */
  hint(text: string): void {
    this.#dropHint();
    this.#drawAll();
    this.#hint = text;
    this.changed();
    if (!this.quit.aborted) this.#hintTimer = setTimeout(() => this.#dropHint(), hintTime);
  }

  /** Puts prompts into the editor. */
  giveBack(prompts: readonly Prompt[]): void {
    this.#returned = [...this.#returned, ...prompts];
    this.changed();
  }

  takeReturned(prompts: readonly Prompt[]): void {
    this.#returned = this.#returned.filter((one) => !prompts.includes(one));
  }

  changed(): void {
    this.#frames.request();
  }

  /** Something has changed that counts where each state does. */
  #drawAll(): void {
    if (this.host.showsAll === true) this.#frames.flush();
    else this.#frames.request();
  }

  /** What the commands of this program need. */
  get commandTarget(): CommandTarget {
    return {
      actions: this.actions,
      agent: this.life.state,
      canRecall: this.host.recorder.hasForgotten,
      options: this.sessions.current?.session.shown.options ?? none,
      idOf: (argument) => this.sessions.idOf(argument),
      hasOutput: this.shell?.output !== undefined,
      refuse: (text) => this.note("error", text),
    };
  }

  #dropHint(): void {
    clearTimeout(this.#hintTimer);
    this.#hint = undefined;
    this.interrupts.reset();
    this.changed();
  }

  /** Returns whether it was done. */
  async #attempt(task: Promise<unknown>): Promise<boolean> {
    this.#tasks += 1;
    try {
      await task;
      return true;
    } catch (error) {
      if (!this.quit.aborted) this.note("error", await this.life.describe(error));
      return false;
    } finally {
      this.#tasks -= 1;
      this.changed();
    }
  }

  get #isBusy(): boolean {
    const works = ({ turn, queue }: OpenSession): boolean => turn !== undefined || queue.length > 0;
    return this.overlay !== undefined || this.#tasks > 0 || this.turns.isOpening || [...this.sessions.all].some(works);
  }

  #hearLate(report: Report, { session }: OpenSession): void {
    this.host.recorder.show(report, session);
    if (report.kind !== "message") return;
    for (const block of report.content) if (block.type === "text") this.#lateText += block.text;
  }

  #show(report: Report, session: Session): Promise<void> | undefined {
    const open = session.isOfAgent ? this.#hostOf() : this.sessions.of(session);
    if (open !== undefined) {
      open.lastUpdate = Date.now();
      open.scene.source(session).report(report);
    }
    this.host.recorder.show(report, session);
    this.changed();
    this.#reports += 1;
    const topic =
      report.kind === "message" && report.isWhole !== true && !session.isOfAgent
        ? `${session.id} ${report.speaker} ${report.messageId}`
        : report;
    if (topic !== this.#topic) this.#drawAll();
    this.#topic = topic;
    return this.host.room?.() ?? (this.#reports > reportsPerFrame ? this.#frames.next() : undefined);
  }

  /** The session beside which the agent has opened one of its own: the protocol does not say. */
  #hostOf(): OpenSession | undefined {
    const { current, all } = this.sessions;
    return current?.isWorking === true ? current : ([...all].find(({ isWorking }) => isWorking) ?? current);
  }

  #tellOfQuestion(sessionId: string | undefined): void {
    const open = sessionId === undefined ? undefined : this.sessions.find(sessionId);
    if (open === undefined || open === this.sessions.current) return;
    this.note("warning", `Session ${open.title ?? open.session.id} asks something. /sessions takes you there`);
  }

  async #died(reason: unknown): Promise<void> {
    this.sessions.lose();
    this.note("error", await this.life.describe(reason));
    if (this.host.hasTerminal !== false)
      this.note("info", "The next prompt starts the agent again, and so does /restart");
  }

  #entered(open: OpenSession, isKnown: boolean): void {
    const { session, title } = open;
    // The user does not need to be told where the first session begins.
    const isFirst = this.#final.every(({ kind }) => kind === "note" || kind === "call");
    if (!isFirst && !isKnown)
      this.#final.push({ id: (this.#lastId += 1), kind: "session", sessionId: session.id, title });
    this.#final.push(...open.scene.enter(open.isWorking));
    open.knownMode ??= modeOf(session.shown.options)?.value;
  }

  #takeTerminalLogin(): Login | undefined {
    const login = this.#terminalLogin;
    this.#terminalLogin = undefined;
    return login;
  }

  #draw(): void {
    this.#reports = 0;
    const { current } = this.sessions;
    this.#tellOfMode(current);
    const settled = current?.scene.settle(current.isWorking);
    if (settled !== undefined) {
      this.#final.push(...settled.final);
      if (settled.soon !== undefined) this.#frames.request(settled.soon);
    }
    this.#followTurn(current);
    const { items: early } = this.shell;
    const live = [...early, ...(current?.scene.items ?? [])];
    const { items, firstOpen } = this.#state;
    const isSame =
      early.length === 0 &&
      settled?.isChanged !== true &&
      firstOpen === this.#final.length &&
      items.length === firstOpen + live.length;
    this.#state = this.#makeState(isSame ? items : new ItemList(this.#final, live));
    for (const listener of this.#listeners) listener();
    if (!this.#isBusy) for (const settle of this.#idle.splice(0)) settle();
  }

  #makeState(items: ChatItems): ChatState {
    const { current } = this.sessions;
    const { shown } = current?.session ?? {};
    const isOther = (id: string): boolean =>
      [...this.sessions.all].some((one) => one !== current && one.session.id === id);
    const questions = this.questions.of((id) => !isOther(id));
    return {
      agent: this.life.state,
      cwd: this.host.options.cwd,
      session: this.#sessionState(current),
      items,
      firstOpen: this.#final.length,
      turn: current?.shownTurn(questions.length > 0),
      // What an earlier turn has planned was told at its end.
      plan: shown === undefined || shown.plan === current?.turn?.plan ? none : shown.plan,
      usage: shown?.usage,
      options: shown?.options ?? none,
      commands: this.#commandList(shown?.commands ?? none),
      questions: same(this.#state?.questions, questions),
      queued: this.turns.queued,
      returned: this.#returned,
      overlay: this.overlay,
      thoughts: this.thoughts,
      hint: this.#hint,
    };
  }

  #sessionState(current: OpenSession | undefined): ChatState["session"] {
    if (current === undefined) return undefined;
    const { title } = current;
    const { id } = current.session;
    const before = this.#state?.session;
    return before?.id === id && before.title === title ? before : { id, title, cwd: this.host.options.cwd };
  }

  #commandList(ofAgent: readonly Omit<ChatCommand, "isOwn">[]): readonly ChatCommand[] {
    const target = this.commandTarget;
    const key = [ofAgent, target.agent, target.options, target.hasOutput, target.canRecall];
    if (this.#commands?.key.every((part, index) => part === key[index]) !== true) {
      const own = ownCommands(target, new Set(ofAgent.map(({ name }) => name)));
      this.#commands = { key, list: [...ofAgent.map((command) => ({ ...command, isOwn: false })), ...own] };
    }
    return this.#commands.list;
  }

  /** Says that the agent has changed the mode by itself. */
  #tellOfMode(open: OpenSession | undefined): void {
    const mode = open && modeOf(open.session.shown.options);
    if (open === undefined || mode === undefined || mode.value === open.knownMode) return;
    const isNews = open.knownMode !== undefined && mode.value !== open.chosenMode;
    open.knownMode = mode.value;
    open.chosenMode = undefined;
    const name = mode.choices.find(({ value }) => value === mode.value)?.name ?? String(mode.value);
    if (isNews) this.note("info", `Mode: ${name}`, open);
  }

  /** Ctrl-C cancels the turn of the session that the user is in. */
  #followTurn(open: OpenSession | undefined): void {
    const turn = open?.turn ?? (open?.isWorking === true ? open : undefined);
    if (turn === this.#cancellable?.turn) return;
    this.#cancellable?.ended();
    this.#cancellable =
      turn === undefined ? undefined : { turn, ended: this.interrupts.beginTurn(() => this.actions.cancel()) };
  }
}

const none: readonly never[] = [];

/** The earlier list, if it is equal. */
function same<Item>(before: readonly Item[] | undefined, now: readonly Item[]): readonly Item[] {
  const isSame = before?.length === now.length && before.every((item, index) => item === now[index]);
  return isSame ? before : now;
}

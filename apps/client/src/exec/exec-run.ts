import type { Launch } from "../agents/launch.ts";
import type { RunSettings } from "../agents/run-options.ts";
import type { Streams } from "../cli/streams.ts";
import { exitCodeOf, ExitCode } from "../cli/exit.ts";
import type { Agent, Session } from "../protocol/agent.ts";
import { AgentConnection } from "../agents/agent-connection.ts";
import { classifyFailure, createFailure, type Failure } from "../protocol/failure.ts";
import { LateMessages } from "../protocol/late-messages.ts";
import { attachmentBlocks } from "../protocol/attachment-blocks.ts";
import { refusal } from "../protocol/permission/refusal.ts";
import { selectOptions } from "../protocol/select-options.ts";
import { inWords } from "../protocol/turn-limit.ts";
import { EventFeed } from "./events/event-feed.ts";
import { type ExecEvent, startEvent } from "../sessions/events/exec-event.ts";
import type { EventSubject } from "../sessions/events/session-feed.ts";
import type { ExecOptions } from "./exec-options.ts";
import type { NamedRun } from "../sessions/named-run.ts";
import { openSession, stoppedTurn } from "./open-session.ts";
import type { ErrorLines } from "../protocol/error-lines.ts";
import type { ExecOutput } from "./output/exec-output.ts";
import { readPrompt } from "./read-prompt.ts";
import type { RunControl } from "./run-control.ts";

export interface ExecTools {
  readonly streams: Streams;
  readonly control: RunControl;
  readonly output: ExecOutput;
  readonly errors: ErrorLines;
  openNamed(name: string): NamedRun;
}

/** The turn that has ended, and what was wrong with it. */
interface Worked {
  readonly session: Session;
  readonly failure: Failure | undefined;
}

/** One run of `acp exec`: a prompt, its turn, and its end. */
export class ExecRun {
  readonly #options: ExecOptions;
  readonly #tools: ExecTools;
  /** What the run waits for, as the beginning of a sentence. */
  #awaited = "The end of stdin";
  #connection: AgentConnection | undefined;
  #named: NamedRun | undefined;
  #agent: Agent | undefined;
  #feed: EventFeed | undefined;
  #stopReason: string | null = null;
  #began = 0;
  #duration = 0;
  #hasStarted = false;
  #hasEnded = false;

  constructor(options: ExecOptions, tools: ExecTools) {
    this.#options = options;
    this.#tools = tools;
  }

  /** Runs it; returns the exit code. Nothing that it has started is left. */
  async run(): Promise<number> {
    try {
      return await this.#start();
    } catch (error) {
      return this.#fail(error);
    }
  }

  async #start(): Promise<number> {
    const { streams, control, openNamed } = this.#tools;
    const { session: name } = this.#options;
    const named = name === undefined ? undefined : openNamed(name);
    this.#named = named;
    const prompt = await control.unlessQuit(readPrompt(this.#options, streams));
    this.#awaited = "The start of the agent";
    const { launch, settings } = await control.unlessQuit(this.#options.resolve(streams, named?.known?.agent));
    this.#begin([launch.command, ...launch.args], launch.name);
    named?.requireAgent(launch);
    return this.#withAgent(settings, async (agent) => {
      const session = await this.#open(agent, settings, launch);
      const { attach } = this.#options;
      const { blocks, notes } = await attachmentBlocks(attach, agent.takes);
      for (const note of notes) this.#note(note);
      this.#feed?.prompted(
        prompt,
        attach.map(({ path }) => path),
      );
      named?.save(session, launch, settings, prompt);
      const failure = await this.#turn(session, [{ type: "text", text: prompt }, ...blocks]);
      named?.save(session, launch, settings);
      return { session, failure };
    });
  }

  /** Connects with the agent while `work` lasts. Its end is told when the agent has ended: until then it may say more. */
  async #withAgent(settings: RunSettings, work: (agent: Agent) => Promise<Worked>): Promise<number> {
    const { control, errors } = this.#tools;
    const { login } = settings;
    const feed = new EventFeed(settings, (event, about) => this.#emit(event, about));
    this.#feed = feed;
    const late = new LateMessages();
    const connection = new AgentConnection(
      { ...this.#options, ...settings },
      {
        events: feed.client,
        late,
        quit: control.quit,
        kill: control.kill,
        detail: (label, line) => errors.detail(label, line),
      },
    );
    this.#connection = connection;
    try {
      let agent = await connection.open();
      let worked: Worked;
      let isStopped: boolean;
      try {
        this.#agent = agent;
        if (login !== undefined) {
          this.#awaited = "The login";
          agent = await control.unlessQuit(agent.logIn(login, control.quit));
          this.#agent = agent;
        }
        worked = await work(agent);
        late.begin(worked.session, feed.client.show);
      } catch (error) {
        return this.#fail(error);
      } finally {
        // What stops the run from here on comes too late to change how it went.
        isStopped = control.cause !== undefined;
        await agent.close();
      }
      return isStopped ? this.#stop() : this.#end(worked.failure);
    } finally {
      await connection.close();
    }
  }

  async #open(agent: Agent, settings: RunSettings, launch: Launch): Promise<Session> {
    const { control } = this.#tools;
    const named = this.#named;
    const { name, title, version } = agent.info ?? {};
    void this.#emit({
      type: "agent",
      name,
      title: title ?? undefined,
      version,
      protocol: agent.version,
    });
    if (agent.version < settings.protocol)
      this.#note(`The agent does not support version ${settings.protocol} of ACP: version ${agent.version} is used`);
    for (const sentence of [...settings.setup.problems, ...settings.setup.remarks, ...agent.leftOut])
      this.#note(sentence);
    this.#awaited = "The opening of the session";
    const { startTimeout, cwd } = this.#options;
    const { session, opened } = await control.unlessQuit(openSession(agent, cwd, named?.known, startTimeout));
    void this.#emit({
      type: "session",
      sessionId: session.id,
      opened,
      name: named?.name,
    });
    this.#feed?.open(session);
    named?.save(session, launch, settings);
    if (named !== undefined && !agent.can.resume && !agent.can.load)
      this.#note("The agent cannot open sessions again: the name only keeps what happens now");
    await control.unlessQuit(selectOptions(session, settings.wanted));
    return session;
  }

  /** Runs the turn; returns what was wrong with it. */
  async #turn(session: Session, prompt: Parameters<Session["prompt"]>[0]): Promise<Failure | undefined> {
    const { control } = this.#tools;
    this.#awaited = "The turn";
    this.#began = performance.now();
    const turn = session.prompt(prompt);
    const ended = control.beginTurn(() => turn.cancel());
    try {
      const { stopReason, failure, duration } = await control.unlessQuit(turn.ended);
      this.#stopReason = stopReason;
      this.#duration = duration;
      if (failure !== undefined) return this.#classify(failure);
      return stoppedTurn(stopReason);
    } finally {
      ended();
      this.#feed?.ended();
    }
  }

  #end(failure: Failure | undefined): number {
    const refused = this.#feed?.refused ?? [];
    const isRefused = failure === undefined && refused.length > 0;
    const problem = isRefused ? refusal(refused) : failure;
    if (problem !== undefined) this.#tell(problem);
    return this.#finish(problem?.exitCode ?? exitCodeOf(this.#stopReason ?? ""));
  }

  /** The run was stopped from outside. */
  #stop(): number {
    const { control } = this.#tools;
    const { timeout } = this.#options;
    if (control.cause === "timeout" && timeout !== undefined)
      this.#tell(
        createFailure(
          "timeout",
          `${this.#awaited} took longer than ${inWords(timeout)}`,
          "Give it longer with --timeout",
        ),
      );
    return this.#finish(control.exitCode ?? ExitCode.failure);
  }

  #fail(error: unknown): number {
    // A failure after the end was already reported.
    if (this.#hasEnded) return ExitCode.failure;
    this.#begin(this.#options.command);
    this.#feed?.ended();
    if (this.#tools.control.cause !== undefined) return this.#stop();
    const failure = this.#advised(this.#classify(error));
    this.#tell(failure);
    return this.#finish(failure.exitCode);
  }

  /** A session that the agent has lost stays lost: the name can be used anew. */
  #advised(failure: Failure): Failure {
    if (failure.code !== "no_such_session" || this.#named?.known === undefined) return failure;
    return { ...failure, advice: `To begin it anew, forget it first: acp sessions delete ${this.#named.name} --local` };
  }

  #classify(error: unknown): Failure {
    return classifyFailure(error, this.#connection?.context(this.#agent?.logins));
  }

  #begin(command: readonly string[], name?: string): void {
    if (this.#hasStarted) return;
    this.#hasStarted = true;
    void this.#emit(startEvent(this.#options.cwd, command, name));
  }

  #note(title: string): void {
    void this.#emit({ type: "notice", from: "acp", title });
  }

  #tell({ code, message, advice, details, exitCode }: Failure): void {
    void this.#emit({ type: "error", code, message, advice, details, exitCode });
  }

  #finish(exitCode: number): number {
    const result = this.#feed?.result() ?? { text: "", lastMessage: "", usage: null, toolCalls: 0 };
    if (this.#began > 0 && this.#duration === 0) this.#duration = performance.now() - this.#began;
    const duration = Math.round(this.#duration);
    void this.#emit({ type: "end", stopReason: this.#stopReason, ...result, duration, exitCode });
    this.#hasEnded = true;
    return exitCode;
  }

  #emit(event: ExecEvent, about?: EventSubject): Promise<void> | undefined {
    if (this.#hasEnded) return undefined;
    this.#named?.log.write(event);
    return this.#tools.control.cause === "closed" ? undefined : this.#tools.output.write(event, about);
  }
}

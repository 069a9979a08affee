import type { QuestionContext } from "@acp/core/elicitation";

import { unlessAborted } from "../protocol/time-limit.ts";
import type { Login, Session } from "../protocol/agent.ts";
import type { ClientEvents } from "../protocol/client-events.ts";
import type { RunOptions } from "../chat/chat-options.ts";
import { CommandList, isQuit } from "./command-list.ts";
import { Interrupts } from "../cli/interrupts.ts";
import { LineReader } from "./input/line-reader.ts";
import { answerForm } from "./elicitation/answer-form.ts";
import { answerUrl } from "./elicitation/answer-url.ts";
import type { Asker } from "./elicitation/asker.ts";
import { chooseLogin, answerPermission } from "./ask-choice.ts";
import type { Failure } from "../protocol/failure.ts";
import { answerOf, optionTaken } from "../protocol/permission/options.ts";
import { refusal } from "../protocol/permission/refusal.ts";
import { summaryOf } from "../protocol/permission/summary.ts";
import type { Report } from "../protocol/shown.ts";
import type { SessionRecorder } from "../sessions/session-recorder.ts";
import { ErrorLines } from "../render/error-lines.ts";
import { loadHighlighter } from "../render/markdown/highlight.ts";
import { isInteractive, type Streams } from "../cli/streams.ts";
import { createStyle } from "../text/style.ts";
import { ShellLines } from "./shell-lines.ts";
import { Transcript } from "./transcript/transcript.ts";

/** The user's side: the transcript, the input line, Ctrl-C. */
export class UserInterface {
  readonly transcript: Transcript;
  /** What goes to stderr. */
  readonly errors: ErrorLines;
  readonly commands: CommandList = new CommandList();
  readonly shell: ShellLines;
  readonly recorder: SessionRecorder;
  readonly interrupts: Interrupts;
  readonly events: ClientEvents;
  agentName = "The agent";
  /** How many questions there were that a session may have to wait for. */
  askedQuestions = 0;
  readonly #lines: LineReader | undefined;
  readonly #quit = new AbortController();
  readonly #kill = new AbortController();
  #isTerminalLent = false;
  #session: Session | undefined;
  /** Sessions that the user left. Their updates are not shown. */
  readonly #leftSessions = new WeakSet<Session>();
  #terminalLogin: Login | undefined;
  /** What was refused because there was nobody to ask. */
  readonly #refused: string[] = [];

  constructor(
    { permission: policy, rules, gated, by, cwd, withSecrets }: RunOptions,
    streams: Streams,
    readsPrompts: boolean,
    recorder: SessionRecorder,
  ) {
    this.recorder = recorder;
    const { output, error, env } = streams;
    const lines =
      readsPrompts || (policy === "ask" && isInteractive(streams))
        ? new LineReader(streams, {
            complete: (line) => this.commands.complete(line),
            onInterrupt: () => this.interrupt(),
          })
        : undefined;
    this.#lines = lines;
    this.shell = new ShellLines(cwd, streams.input.isTTY === true);
    const transcript = new Transcript(lines?.output ?? output, createStyle(output.isTTY === true, env), cwd);
    this.transcript = transcript;
    // Code that comes before has no colours.
    if (output.isTTY === true) setTimeout(() => void loadHighlighter(), 100).unref();
    this.errors = new ErrorLines(streams, withSecrets);
    if (error.isTTY === true) this.errors.before = () => lines?.hidePrompt();
    this.interrupts = new Interrupts({
      hint: (text) => transcript.note(text, "yellow"),
      quit: () => this.#quit.abort(new DOMException("The user has quit", "AbortError")),
      kill: () => this.#kill.abort(),
    });
    this.events = {
      show: (report, session) => this.#show(report, session),
      terminal: (id, view) => transcript.terminal(id, view),
      permission: (question, signal) => {
        const answer = (): ReturnType<typeof answerPermission> => {
          const isCurrentSession = question.sessionId === this.#session?.id;
          if (policy === "ask" && lines === undefined) this.#refused.push(summaryOf(question.asked));
          return answerPermission(question, { policy, by, lines, transcript, isCurrentSession }, signal);
        };
        return policy === "ask" && lines !== undefined
          ? lines.queueQuestion(this.#untilQuit(signal), answer)
          : answer();
      },
      rules,
      gated,
      answeredByRule: (question, answer) => {
        transcript.permission(question, question.sessionId === this.#session?.id);
        const option = optionTaken(question.options, answer);
        transcript.permissionAnswer(option ? answerOf(option) : "no answer", option ? by : "no option fits");
      },
      login: (logins, signal) => this.#login(logins, signal),
      questions:
        lines === undefined
          ? undefined
          : {
              form: (question, context) => this.#ask(lines, context, (asker) => answerForm(question, asker)),
              url: (question, context) => this.#ask(lines, context, (asker) => answerUrl(question, asker)),
            },
      hasTerminal: isInteractive(streams),
    };
  }

  get quit(): AbortSignal {
    return this.#quit.signal;
  }

  /** Aborts when the user waits no longer for the agent to end. */
  get kill(): AbortSignal {
    return this.#kill.signal;
  }

  /** Reads the next prompt; `undefined` when the user quits. `signal` ends the wait. */
  async nextPrompt(signal: AbortSignal): Promise<string | undefined> {
    for (;;) {
      this.transcript.handOver();
      const line = await this.#lines?.readPrompt("> ", this.#untilQuit(signal));
      this.interrupts.reset();
      this.transcript.takeBack(true);
      if (line === undefined || isQuit(line)) return undefined;
      if (line.trim() !== "") return line;
    }
  }

  /** Returns the terminal login that the user chose, once. */
  takeTerminalLogin(): Login | undefined {
    const method = this.#terminalLogin;
    this.#terminalLogin = undefined;
    return method;
  }

  /** Lends the terminal to another program while `run` lasts; that program handles Ctrl-C. */
  async lendTerminal<Result>(run: () => Promise<Result>): Promise<Result> {
    this.transcript.handOver();
    this.#isTerminalLent = true;
    try {
      return await (this.#lines === undefined ? run() : this.#lines.lendTerminal(this.quit, run));
    } finally {
      this.#isTerminalLent = false;
    }
  }

  /** The user pressed Ctrl-C. */
  interrupt(): void {
    if (!this.#isTerminalLent) this.interrupts.press();
  }

  /**
   * Switches to the session that `open` opens. Its history arrives before `open` resolves; if `open` fails, the
   * user stays in the earlier session.
   */
  async enter(open: () => Promise<Session>): Promise<Session> {
    const before = this.#session;
    try {
      const session = await open();
      this.#follow(session);
      return session;
    } catch (error) {
      if (before !== undefined) this.#follow(before);
      throw error;
    }
  }

  unlessQuit<Result>(promise: Promise<Result>): Promise<Result> {
    return unlessAborted(promise, this.quit);
  }

  /** Reports a failure on stderr, and returns its exit code. */
  fail(failure: Failure): number {
    this.transcript.handOver();
    this.errors.fail(failure);
    return failure.exitCode;
  }

  /** Tells the user on stderr what does not work. */
  complain(reason: string): void {
    this.transcript.handOver();
    this.errors.complain(reason);
  }

  /** Reports that permissions were refused since there was nobody to ask; returns the exit code for that. */
  failIfRefused(): number | undefined {
    return this.#refused.length === 0 ? undefined : this.fail(refusal(this.#refused));
  }

  close(): void {
    this.interrupts.ended();
    this.#lines?.close();
  }

  async #login(logins: readonly Login[], signal: AbortSignal): Promise<string | undefined> {
    if (this.#lines === undefined) return undefined;
    this.askedQuestions += 1;
    const lines = this.#lines;
    const either = this.#untilQuit(signal);
    const login = await lines.queueQuestion(either, () => chooseLogin(logins, lines, this.transcript, either));
    if (login?.takesTerminal !== true) return login?.id;
    this.#terminalLogin = login;
    return undefined;
  }

  #ask<Answer>(lines: LineReader, context: QuestionContext, ask: (asker: Asker) => Promise<Answer>): Promise<Answer> {
    this.askedQuestions += 1;
    const signal = this.#untilQuit(context.signal);
    const beside = context.session?.unclaimed === true ? context.session.id : undefined;
    return lines.queueQuestion(signal, () =>
      ask({ lines, transcript: this.transcript, agent: this.agentName, beside, signal }),
    );
  }

  #untilQuit(signal: AbortSignal): AbortSignal {
    return AbortSignal.any([signal, this.quit]);
  }

  #show(report: Report, session: Session): Promise<void> | undefined {
    this.recorder.show(report, session);
    if (session.isOfAgent) return this.#told(this.transcript.showBeside(report, session));
    if (report.kind === "commands") this.commands.listReceived();
    if (this.#leftSessions.has(session)) return undefined;
    this.#follow(session);
    return this.#told(this.transcript.show(report));
  }

  #told(room: Promise<void> | undefined): Promise<void> | undefined {
    // While a prompt is open, the rest of the text may take long.
    if (this.#lines?.isOpen === true) this.transcript.flush();
    return room;
  }

  #follow(session: Session): void {
    if (session === this.#session) return;
    if (this.#session !== undefined) this.#leftSessions.add(this.#session);
    this.#leftSessions.delete(session);
    this.#session = session;
    this.transcript.follow(session);
    this.commands.follow(session);
  }
}

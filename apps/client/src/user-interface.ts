import type { ClientContext, ClientSession, ConnectedAgent, LoginRequest } from "@acp/core";
import type { Received } from "@acp/schema/v1";

import type { RunOptions } from "./command-line.ts";
import { CommandList } from "./command-list.ts";
import { Interrupts } from "./interrupts.ts";
import { LineReader } from "./line-reader.ts";
import { answerForm } from "./elicitation/answer-form.ts";
import { answerUrl } from "./elicitation/answer-url.ts";
import type { Asker } from "./elicitation/asker.ts";
import { chooseLogin } from "./login/choose-login.ts";
import { answerPermission } from "./permission/answer-permission.ts";
import type { ClientEvents } from "./reference-client.ts";
import type { Streams } from "./streams.ts";
import { printable } from "./transcript/printable.ts";
import { createStyle, type Style } from "./transcript/style.ts";
import { Transcript } from "./transcript/transcript.ts";

type AuthMethod = ConnectedAgent["authMethods"][number];

/** What the user sees, types and presses. */
export class UserInterface {
  readonly transcript: Transcript;
  readonly commands: CommandList = new CommandList();
  readonly interrupts: Interrupts;
  /** What comes from the agent goes in here. */
  readonly events: ClientEvents;
  /** Who is on the other side, for the user. */
  agentName = "The agent";
  readonly #lines: LineReader | undefined;
  readonly #quit = new AbortController();
  #isAway = false;
  #terminalLogin: AuthMethod | undefined;
  readonly #error: Streams["error"];
  readonly #errorStyle: Style;

  constructor({ permission: policy, cwd }: RunOptions, { input, output, error, env }: Streams, readsPrompts: boolean) {
    const transcript = new Transcript(output, createStyle(output.isTTY === true, env), cwd);
    this.transcript = transcript;
    this.#error = error;
    this.#errorStyle = createStyle(error.isTTY === true, env);
    this.interrupts = new Interrupts(
      () => this.#quit.abort(new DOMException("The user has quit", "AbortError")),
      (hint) => this.#aside(() => transcript.note(hint, "yellow")),
    );
    const lines =
      readsPrompts || (policy === "ask" && input.isTTY === true)
        ? new LineReader({
            input,
            output,
            complete: (line) => this.commands.complete(line),
            onInterrupt: () => this.interrupt(),
          })
        : undefined;
    this.#lines = lines;
    this.events = {
      update: (update, session) => this.#update(update, session),
      terminal: (terminal) => transcript.terminal(terminal),
      permission: (request, signal) => answerPermission(request, { policy, lines, transcript }, signal),
      login: (request) => this.#login(request),
      questions:
        lines === undefined
          ? undefined
          : {
              form: (question, context) => answerForm(question, this.#asker(lines, context)),
              url: (question, context) => answerUrl(question, this.#asker(lines, context)),
            },
      hasTerminal: input.isTTY === true,
    };
  }

  /** Aborts when the user wants to leave. */
  get quit(): AbortSignal {
    return this.#quit.signal;
  }

  /** The next prompt that the user types; `undefined` when there are no more. `signal` ends the wait. */
  async nextPrompt(signal: AbortSignal): Promise<string | undefined> {
    for (;;) {
      this.transcript.giveWay();
      const line = await this.#lines?.next("> ", AbortSignal.any([signal, this.quit]));
      this.interrupts.reset();
      this.transcript.takeOver(true);
      if (line === undefined || line.trim() === "/quit") return undefined;
      if (line.trim() !== "") return line;
    }
  }

  /** The login in a terminal that the user has chosen, once: the client cannot do it by itself (AUTH-06). */
  takeTerminalLogin(): AuthMethod | undefined {
    const method = this.#terminalLogin;
    this.#terminalLogin = undefined;
    return method;
  }

  /** Leaves the terminal to another program while `run` lasts; Ctrl-C is for that one. */
  async away<Result>(run: () => Promise<Result>): Promise<Result> {
    this.transcript.giveWay();
    this.#isAway = true;
    try {
      return await (this.#lines === undefined ? run() : this.#lines.away(run));
    } finally {
      this.#isAway = false;
    }
  }

  /** The user has pressed Ctrl-C. */
  interrupt(): void {
    if (!this.#isAway) this.interrupts.press();
  }

  /** Waits for something, but no longer than the user wants to. */
  async unlessQuit<Result>(promise: Promise<Result>): Promise<Result> {
    const { quit } = this;
    quit.throwIfAborted();
    let leave = (): void => {};
    const left = new Promise<never>((_, reject) => {
      leave = () => reject(quit.reason);
    });
    quit.addEventListener("abort", leave, { once: true });
    try {
      return await Promise.race([promise, left]);
    } finally {
      quit.removeEventListener("abort", leave);
    }
  }

  /** Something failed; the user is told on stderr. */
  fail(reason: string): void {
    this.transcript.giveWay();
    this.#error.write(`${this.#errorStyle("red", "✗")} ${reason}\n`);
  }

  /** A detail for those who asked for details. */
  detail(line: string): void {
    this.#aside(() => this.#error.write(`${this.#errorStyle("dim", printable(line))}\n`));
  }

  close(): void {
    this.#lines?.close();
  }

  async #login({ methods, signal }: LoginRequest): Promise<string | undefined> {
    if (this.#lines === undefined) return undefined;
    const either = AbortSignal.any([signal, this.quit]);
    const method = await chooseLogin(methods, this.#lines, this.transcript, either);
    if (method?.type !== "terminal") return method?.id;
    this.#terminalLogin = method;
    return undefined;
  }

  #asker(lines: LineReader, { signal }: ClientContext): Asker {
    const { transcript } = this;
    return { lines, transcript, agent: this.agentName, signal: AbortSignal.any([signal, this.quit]) };
  }

  #update(update: Received.SessionUpdate, session: ClientSession): Promise<void> | undefined {
    // While it is loaded, its updates come before whoever opens it has it.
    this.transcript.follow(session);
    if (update.sessionUpdate === "available_commands_update") this.commands.replace(update.availableCommands);
    return this.#aside(() => this.transcript.update(update));
  }

  #aside<Result>(show: () => Result): Result {
    return this.#lines === undefined ? show() : this.#lines.aside(show);
  }
}

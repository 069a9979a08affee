import { text } from "node:stream/consumers";

import { loadHighlighter } from "@acp/render";
import { printableLine } from "@acp/render/text";

import type { RunOptions } from "../chat/chat-options.ts";
import { CommandLineError, ExitCode, exitCodeOf } from "../cli/exit.ts";
import { isInteractive, type Streams } from "../cli/streams.ts";
import { attachmentBlocks } from "../protocol/attachment-blocks.ts";
import { openInBrowser } from "../protocol/elicitation/open-in-browser.ts";
import { refusal } from "../protocol/permission/refusal.ts";
import { ErrorLines, forOutput } from "../protocol/error-lines.ts";
import type { SessionRecorder } from "../sessions/session-recorder.ts";
import { createStyle } from "../text/style.ts";
import { ChatModel } from "../ui/model/chat-model.ts";
import { loadAskedDialogs } from "../ui/questions/dialog-for.ts";
import { Asker } from "./asker.ts";
import { LineReader } from "./input/line-reader.ts";
import { ItemPrinter } from "./print/item-printer.ts";

/** How long to wait for the first list of commands, in milliseconds: many agents send none. */
const firstListTimeout = 300;

/**
 * Starts the agent, opens a session, and runs one or more prompts, in lines. Returns the exit code.
 *
 * @throws {CommandLineError} if there is nothing to prompt.
 */
export async function runClient(options: RunOptions, streams: Streams, recorder: SessionRecorder): Promise<number> {
  const isTyped = isInteractive(streams);
  const readsPrompts = options.prompt === undefined && (options.interactive || isTyped);
  const prompt = readsPrompts ? undefined : (options.prompt ?? (await promptFromInput(streams)));
  // Nobody goes on in what a script asks.
  recorder.remembersAll = readsPrompts;
  await loadAskedDialogs();
  const isAttended = readsPrompts || (options.permission === "ask" && isTyped);
  const chat = new PlainChat(options, streams, recorder, isAttended);
  const { model } = chat;
  process.on("SIGINT", model.actions.interrupt);
  try {
    const running = model.run();
    const code = await Promise.race([
      prompt === undefined ? chat.readPrompts(streams.input.isTTY === true) : chat.runOnly(prompt),
      running.then(() => ExitCode.endTurn),
    ]);
    chat.printer.isEnding = true;
    model.endWaiting();
    await running;
    if (readsPrompts && recorder.advice !== undefined) chat.printer.note(recorder.advice);
    return model.isInterrupted ? ExitCode.cancelled : code;
  } catch (error) {
    chat.printer.complain(await model.life.describe(error));
    return model.life.lastFailure?.exitCode ?? ExitCode.failure;
  } finally {
    process.off("SIGINT", model.actions.interrupt);
    chat.close();
  }
}

async function promptFromInput({ input, error }: Streams): Promise<string> {
  // Stdout may be a file, where the user sees no question; stderr still explains why the program waits.
  const end = process.platform === "win32" ? "Ctrl-Z and Enter" : "Ctrl-D";
  if (input.isTTY === true && error.isTTY === true) error.write(`Type the prompt, then ${end} on a line of its own:\n`);
  const prompt = (await text(input)).trim();
  if (prompt === "") throw new CommandLineError("There is no prompt. Use --prompt, or write one to stdin");
  return prompt;
}

/** The model of the user interface, printed and asked in lines. */
class PlainChat {
  readonly model: ChatModel;
  readonly printer: ItemPrinter;
  readonly errors: ErrorLines;
  readonly #lines: LineReader | undefined;
  /** What the next prompt begins with: what goes along unseen, and what the user can edit. */
  #attached = "";
  #draft = "";

  constructor(options: RunOptions, streams: Streams, recorder: SessionRecorder, isAttended: boolean) {
    const { output, error, env } = streams;
    const lines = isAttended
      ? new LineReader(streams, {
          complete: (line) => this.#complete(line),
          onInterrupt: () => this.model.actions.interrupt(),
        })
      : undefined;
    this.#lines = lines;
    this.errors = new ErrorLines(streams, options.withSecrets);
    // They are without secrets already.
    const details = new ErrorLines(streams, true);
    if (error.isTTY === true) this.errors.before = details.before = () => lines?.hidePrompt();
    const style = createStyle(output.isTTY === true, env);
    const printer = new ItemPrinter(lines?.output ?? output, style, options.cwd, this.errors);
    this.printer = printer;
    // Code that comes before has no colours.
    if (output.isTTY === true) setTimeout(() => void loadHighlighter(), 100).unref();
    this.model = new ChatModel({
      options: { ...options, thoughts: "full", notifications: false },
      recorder,
      attachmentBlocks,
      openInBrowser,
      isAttended,
      hasTerminal: isInteractive(streams),
      showsAll: true,
      room: () => printer.room(),
      detail: (line) => details.line("detail", forOutput(error, line)),
      lendTerminal: (run) => {
        printer.handOver();
        return lines === undefined ? run() : lines.lend(run);
      },
    });
    const asker = lines && new Asker(lines, printer, this.model.actions);
    this.model.subscribe(() => {
      this.#takeReturned();
      printer.show(this.model.state);
      // While a prompt is open, the rest of the text may take long.
      if (lines?.isOpen === true) printer.flush();
      asker?.show(this.model.state);
    });
  }

  /** Runs the only prompt. Returns the exit code. */
  async runOnly(prompt: string): Promise<number> {
    const { model, printer } = this;
    const failed = await this.#open();
    if (failed !== undefined) return failed;
    printer.prompt(prompt);
    // As it is: a command of this program would have nobody who goes on.
    model.turns.submit({ text: prompt, attachments: [] });
    await model.idle();
    const { lastFailure } = model.life;
    if (lastFailure !== undefined) return lastFailure.exitCode;
    const code = exitCodeOf(printer.stopReason ?? "");
    if (code !== ExitCode.endTurn || model.refused.length === 0) return code;
    const failure = refusal(model.refused);
    printer.handOver();
    this.errors.fail(failure);
    return failure.exitCode;
  }

  /** Runs the prompts that the user types, one after another. Returns the exit code. */
  async readPrompts(isTyped: boolean): Promise<number> {
    const { model, printer } = this;
    const failed = await this.#open();
    if (failed !== undefined) return failed;
    await this.#firstList();
    const { session, commands } = model.state;
    const names = commands.map(({ name }) => `/${printableLine(name)}`);
    printer.note(`Session ${printableLine(session?.id ?? "")}\nCommands: ${names.join("  ")}`);
    for (;;) {
      printer.handOver();
      const prompt = await this.#lines?.readPrompt(this.#draft);
      this.#draft = "";
      model.interrupts.reset();
      printer.takeBack(true);
      if (prompt === undefined || /^\s*\/(?:quit|exit)\s*$/u.test(prompt)) return ExitCode.endTurn;
      const line = isTyped ? /^!\s*(\S.*)$/su.exec(prompt)?.[1] : undefined;
      if (line !== undefined) model.actions.runInShell(line);
      else if (prompt.trim() !== "") this.#submit(prompt);
      await model.idle();
      printer.typed = undefined;
      const { lastFailure } = model.life;
      if (model.quit.aborted) return ExitCode.endTurn;
      // The user can go on: the next prompt starts it again.
      if (model.life.agent === undefined && !isTyped) return lastFailure?.exitCode ?? ExitCode.agentEnded;
    }
  }

  close(): void {
    this.#lines?.close();
  }

  /** Waits for the session. Returns an exit code if there is none as the user wants it. */
  async #open(): Promise<number | undefined> {
    await this.model.idle();
    return this.model.life.lastFailure?.exitCode;
  }

  async #firstList(): Promise<void> {
    const end = performance.now() + firstListTimeout;
    const isThere = (): boolean => this.model.state.commands.some(({ isOwn }) => !isOwn);
    while (!isThere() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 10));
  }

  #submit(prompt: string): void {
    const { isOwn } = this.model.state.commands.find(({ name }) => prompt.trim() === `/${name}`) ?? {};
    const attached = isOwn === true ? "" : this.#attached;
    if (isOwn !== true) this.#attached = "";
    this.printer.typed = prompt;
    this.model.actions.submit({ text: attached + prompt, attachments: [] });
  }

  /** The output of a command goes along with the next prompt; a prompt that nobody has answered is the next one. */
  #takeReturned(): void {
    const { returned } = this.model.state;
    if (returned.length === 0) return;
    this.model.actions.takeReturned(returned);
    this.model.changed();
    for (const { text: one, pasted = [] } of returned) {
      if (pasted.length === 0) this.#draft = one;
      else this.#attached += one;
    }
    if (this.#attached !== "") this.printer.note("The output goes with your next prompt");
  }

  #complete(line: string): readonly string[] {
    if (!line.startsWith("/")) return [];
    // The editor writes a completion to the terminal unchanged, and would send one with a line break at once.
    const harmless = this.model.state.commands.filter(({ name }) => name === printableLine(name));
    const names = harmless.map(({ name, takesInput }) => `/${name}${takesInput ? " " : ""}`);
    return [...names, "/exit"].filter((name) => name.startsWith(line));
  }
}

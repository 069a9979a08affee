import module from "node:module";

import { loadHighlighter } from "@acp/render";

import type { Streams } from "../cli/streams.ts";
import { loadAskedDialogs } from "./questions/dialog-for.ts";
import { editInEditor } from "./input/external-editor.ts";
import { editorWidth } from "./input/editor-view.ts";
import { InputStore, type InputContext } from "./input/input-store.ts";
import { inputView } from "./input/input-view.ts";
import type { ChatModel } from "./model/chat-model.ts";
import type { Typed } from "./terminal/key-parser.ts";
import { UiTerminal } from "./terminal/ui-terminal.ts";
import { copySequence, saveTranscript } from "./transcript/take-out.ts";
import { Transcript, type TranscriptActions } from "./transcript/transcript.ts";
import { spinnerInterval } from "./view/activity-view.ts";
import { ChatView, isRunning } from "./view/chat-view.ts";

/**
 * The shortest time between two frames of what the agent does, in milliseconds. What the user types is drawn at once, also while
 * the terminal is behind.
 */
const frameTime = 33;

/** The user interface: the transcript, and below it the part in which the user types. */
export class UserInterface {
  readonly terminal: UiTerminal;
  readonly #model: ChatModel;
  readonly #view = new ChatView();
  readonly #input: InputStore;
  readonly #fail: (error: unknown) => void;
  readonly #unsubscribe: () => void;
  #transcript: Transcript | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When {@link #timer} draws, and when the last frame was drawn, by `performance.now()`. */
  #due = Infinity;
  #last = -Infinity;
  #isUrgent = false;
  /** The next frame waits until the terminal has shown the last one. */
  #isHeld = false;

  /** `fail` is called if it cannot be drawn. */
  constructor(
    model: ChatModel,
    place: Pick<InputContext, "files" | "history">,
    streams: Streams,
    fail: (error: unknown) => void,
  ) {
    this.#model = model;
    this.#fail = fail;
    const events = {
      onTyped: (typed: Typed) => this.#type(typed),
      onDraw: () => this.#drawNow(),
      onShown: () => this.#isHeld && this.#drawIn(0),
    };
    this.terminal = new UiTerminal(streams, events, model.host.options.notifications);
    const editText = (text: string): Promise<string | undefined> =>
      this.terminal.lend(() => editInEditor(text, streams.env));
    this.#input = new InputStore(model.state, {
      actions: model.actions,
      editText,
      changed: () => this.#drawNow(),
      ...place,
    });
    this.#unsubscribe = model.subscribe(() => this.#drawIn(frameTime - (performance.now() - this.#last)));
    this.#draw();
    void loadAskedDialogs().then(() => this.#drawNow(), fail);
    setTimeout(() => {
      // It is large, and code rarely comes at once.
      void loadHighlighter();
      // The next start need not compile it, however this one ends.
      module.flushCompileCache?.();
    }, 100).unref();
  }

  /** Draws the last state, and gives the terminal back: what was said stays in the scrollback, the rest goes. */
  async end(): Promise<void> {
    this.#unsubscribe();
    await this.terminal.backlog.settle();
    clearTimeout(this.#timer);
    if (this.#transcript !== undefined) this.terminal.screen.leaveFull();
    this.#transcript = undefined;
    do this.#isUrgent = true;
    while (this.#draw());
    clearTimeout(this.#timer);
    this.terminal.end();
  }

  #type(typed: Typed): void {
    if (this.#transcript !== undefined) this.#typeInTranscript(this.#transcript, typed);
    else if ("pasted" in typed) this.#input.paste(typed.pasted);
    else if (typed.ctrl && typed.name === "o") this.#openTranscript();
    else if (typed.ctrl && typed.name === "z") this.terminal.stop();
    else this.#input.press(typed);
  }

  #openTranscript(): void {
    const actions: TranscriptActions = {
      copy: (text) => {
        const sequence = copySequence(text);
        if (sequence === undefined) return "It is too long for the clipboard of a terminal: s saves everything";
        this.terminal.write(sequence);
        return "Copied, if the terminal allows it";
      },
      save: (text) =>
        saveTranscript(this.#model.state.cwd, text).then(
          (name) => `Saved as ${name}`,
          (error: unknown) => `Not saved: ${error instanceof Error ? error.message : String(error)}`,
        ),
    };
    this.#transcript = new Transcript(this.#model.state, actions, () => this.#drawNow());
    this.#drawNow();
  }

  #typeInTranscript(transcript: Transcript, typed: Typed): void {
    if ("pasted" in typed || transcript.press(typed)) return this.#drawNow();
    this.#transcript = undefined;
    this.terminal.screen.leaveFull();
    this.#drawNow();
  }

  #drawNow(): void {
    this.#isUrgent = true;
    this.#drawIn(0);
  }

  /** Draws in `delay` milliseconds at the latest. */
  #drawIn(delay: number): void {
    const due = performance.now() + Math.max(0, delay);
    if (due >= this.#due) return;
    clearTimeout(this.#timer);
    this.#due = due;
    this.#timer = setTimeout(() => this.#drawDue(), Math.max(0, delay));
  }

  #drawDue(): void {
    this.#due = Infinity;
    const wait = this.#isUrgent ? 0 : this.terminal.backlog.wait(performance.now());
    this.#isHeld = wait > 0;
    if (this.#isHeld) this.#drawIn(wait);
    else this.#draw();
  }

  /** Draws the state as it is now. Returns whether there is more for the scrollback. */
  #draw(): boolean {
    this.#due = Infinity;
    if (!this.terminal.isHere) return false;
    const now = performance.now();
    const { screen, attention, backlog } = this.terminal;
    const isUrgent = this.#isUrgent;
    const isBehind = backlog.wait(now) > 0;
    this.#isUrgent = false;
    this.#last = now;
    try {
      const state = this.#model.state;
      attention?.show(state, Date.now());
      const { size } = screen;
      if (this.#transcript !== undefined) {
        screen.drawFull(this.#transcript.draw(state, size));
        return false;
      }
      this.#input.prompt.width = editorWidth(size.columns);
      // What is on the screen gets the keys.
      this.#input.show(state);
      const input = inputView(this.#input, state, size);
      const room = isBehind ? 0 : backlog.isSlow ? 20 : 400;
      const { printed, frame, hasMore } = this.#view.draw(state, input, size, Date.now(), room);
      screen.draw(printed, frame, () => (isUrgent ? "" : backlog.ask(now)));
      if (hasMore || isBehind) this.#drawIn(0);
      else if (isRunning(state)) this.#drawIn(spinnerInterval);
      return hasMore;
    } catch (error) {
      this.#fail(error);
      return false;
    }
  }
}

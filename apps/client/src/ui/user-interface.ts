import module from "node:module";

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
import { loadHighlighter } from "../render/markdown/highlight.ts";

/** The shortest time between two frames of what the agent does, in milliseconds. What the user types is drawn at once. */
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

  /** `fail` is called if it cannot be drawn. */
  constructor(
    model: ChatModel,
    place: Pick<InputContext, "files" | "history">,
    streams: Streams,
    fail: (error: unknown) => void,
  ) {
    this.#model = model;
    this.#fail = fail;
    const events = { onTyped: (typed: Typed) => this.#type(typed), onDraw: () => this.#drawIn(0) };
    this.terminal = new UiTerminal(streams, events, model.host.options.notifications);
    const editText = (text: string): Promise<string | undefined> =>
      this.terminal.lend(() => editInEditor(text, streams.env));
    const changed = (): void => this.#drawIn(0);
    this.#input = new InputStore(model.state, { actions: model.actions, editText, changed, ...place });
    this.#unsubscribe = model.subscribe(() => this.#drawIn(frameTime - (performance.now() - this.#last)));
    this.#draw();
    void loadAskedDialogs().then(() => this.#drawIn(0), fail);
    setTimeout(() => {
      // It is large, and code rarely comes at once.
      void loadHighlighter();
      // The next start need not compile it, however this one ends.
      module.flushCompileCache?.();
    }, 100).unref();
  }

  /** Draws the last state, and gives the terminal back: what was said stays in the scrollback, the rest goes. */
  end(): void {
    this.#unsubscribe();
    if (this.#transcript !== undefined) this.terminal.screen.leaveFull();
    this.#transcript = undefined;
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
    this.#transcript = new Transcript(this.#model.state, actions, () => this.#drawIn(0));
    this.#drawIn(0);
  }

  #typeInTranscript(transcript: Transcript, typed: Typed): void {
    if ("pasted" in typed || transcript.press(typed)) return this.#drawIn(0);
    this.#transcript = undefined;
    this.terminal.screen.leaveFull();
    this.#drawIn(0);
  }

  /** Draws in `delay` milliseconds at the latest. */
  #drawIn(delay: number): void {
    const due = performance.now() + Math.max(0, delay);
    if (due >= this.#due) return;
    clearTimeout(this.#timer);
    this.#due = due;
    this.#timer = setTimeout(() => this.#draw(), Math.max(0, delay));
  }

  /** Draws the state as it is now. Returns whether there is more for the scrollback. */
  #draw(): boolean {
    this.#due = Infinity;
    if (!this.terminal.isHere) return false;
    this.#last = performance.now();
    try {
      const state = this.#model.state;
      const { screen, attention } = this.terminal;
      attention?.show(state, Date.now());
      const { size } = screen;
      if (this.#transcript !== undefined) {
        screen.drawFull(this.#transcript.draw(state, size));
        return false;
      }
      this.#input.prompt.width = editorWidth(size.columns);
      // What is on the screen gets the keys.
      this.#input.show(state);
      const { printed, frame, hasMore } = this.#view.draw(state, inputView(this.#input, state, size), size, Date.now());
      screen.draw(printed, frame);
      if (hasMore) this.#drawIn(0);
      else if (isRunning(state)) this.#drawIn(spinnerInterval);
      return hasMore;
    } catch (error) {
      this.#fail(error);
      return false;
    }
  }
}

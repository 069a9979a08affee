import { PassThrough } from "node:stream";

import xterm from "@xterm/headless";

import type { Frame } from "../terminal/frame.ts";
import { Keyboard } from "../terminal/keyboard.ts";
import type { Typed } from "../terminal/key-parser.ts";
import { Screen, type TerminalSize } from "../terminal/screen.ts";

/** A part of the user interface on a screen that exists in memory only, for tests of what keys do. */
export interface TypedScreen {
  /** What is on the screen, without colours. */
  readonly frame: string;
  /** What was written last. */
  readonly rawFrame: string;
  /** Types this as one chunk. */
  type(chunk: string): Promise<void>;
  /** Draws it again. */
  draw(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** What is shown on the screen: it is drawn again after each key. */
export interface Shown {
  draw(size: TerminalSize): Frame;
  /** Whether it takes the whole screen. */
  readonly isFull?: boolean;
  onTyped?(typed: Typed): void;
  /** Calls `listener` if it changes by itself. */
  subscribe?(listener: () => void): void;
}

export async function openTypedScreen(shown: Shown, columns = 80, rows = 24): Promise<TypedScreen> {
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input });
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
  let last = "";
  let written = Promise.resolve();
  const write = (text: string): boolean => {
    last = text;
    written = new Promise((resolve) => terminal.write(text, resolve));
    return true;
  };
  const output = Object.assign(new PassThrough(), { columns, rows, isTTY: true, write });
  const screen = new Screen(output as unknown as NodeJS.WriteStream, {}, () => {});
  const draw = (): void => {
    const frame = shown.draw(screen.size);
    if (shown.isFull === true) screen.drawFull(frame);
    else screen.draw([], frame);
  };
  const keyboard = new Keyboard(input, (typed) => {
    shown.onTyped?.(typed);
    draw();
  });
  keyboard.turnOn();
  shown.subscribe?.(draw);
  draw();
  // The reactions to a chunk, and to a lone Escape, which waits for more.
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    await written;
  };
  await settle();
  return {
    get frame() {
      const { active } = terminal.buffer;
      const lines = Array.from(
        { length: active.length },
        (_, row) => active.getLine(row)?.translateToString(true) ?? "",
      );
      return lines.join("\n").replaceAll(/ +$/gmu, "").trimEnd();
    },
    get rawFrame() {
      return last;
    },
    async type(chunk) {
      input.write(chunk);
      await settle();
    },
    async draw() {
      draw();
      await settle();
    },
    async [Symbol.asyncDispose]() {
      keyboard.turnOff();
      screen.close();
      terminal.dispose();
    },
  };
}

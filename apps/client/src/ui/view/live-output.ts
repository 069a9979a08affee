import type { Instance } from "ink";

import { textWidth } from "../../text/text-width.ts";

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** The terminal as Ink has it, between Ink and `process.stdout`. */
export interface LiveOutput {
  /** What Ink writes to. */
  readonly stdout: NodeJS.WriteStream;
  /** The size of the terminal; the same object until it changes. */
  readonly size: TerminalSize;
  /** Calls `listener` when the size has changed. Returns a function that ends this. */
  subscribe(listener: () => void): () => void;
  /**
   * Takes text for the scrollback, and returns what Ink has to draw instead: that is replaced with the text on its way to the
   * terminal. Ink needs far more time and memory for a text than the terminal, and forgets it while another program has the
   * terminal.
   */
  print(text: string): string;
  /** Says what draws on it. */
  attach(ink: Pick<Instance, "clear">): void;
  /** Returns what erases the frame, with what is left to write, and writes nothing from then on: this process ends. */
  leave(): string;
  /** Writes what is left, and takes no notice of the terminal any more. */
  close(): void;
}

/**
 * Makes resizing leave nothing behind. A terminal that becomes narrower breaks the lines that do not fit, so what Ink has drawn
 * takes more rows than Ink erases. This erases all of them, and lets the components draw for the new size.
 */
export function createLiveOutput(
  target: NodeJS.WriteStream,
  env: Readonly<Record<string, string | undefined>> = process.env,
): LiveOutput {
  return new ResizedOutput(target, breaksLines(env));
}

class ResizedOutput implements LiveOutput {
  readonly stdout: NodeJS.WriteStream;
  readonly #target: NodeJS.WriteStream;
  readonly #breaksLines: boolean;
  readonly #listeners = new Set<() => void>();
  #size: TerminalSize;
  #ink: Pick<Instance, "clear"> | undefined;
  /** The last text that was written: the frame, or a part of it. */
  #frame = "";
  /** Texts for the scrollback, and what stands for them: no agent can know it. */
  #printed = "";
  readonly #mark = privateCharacters();
  /** What Ink writes instead of the terminal getting it. */
  #captured: string | undefined;
  #hasLeft = false;

  constructor(target: NodeJS.WriteStream, breaks: boolean) {
    this.#target = target;
    this.#breaksLines = breaks;
    this.#size = sizeOf(target);
    this.stdout = this.#facade();
    target.on("resize", this.#resized);
  }

  get size(): TerminalSize {
    return this.#size;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  print(text: string): string {
    this.#printed += text;
    return this.#mark;
  }

  attach(ink: Pick<Instance, "clear">): void {
    this.#ink = ink;
  }

  leave(): string {
    const text = this.#eraser(sizeOf(this.#target)) + this.#printed;
    this.#printed = "";
    this.#hasLeft = true;
    return text;
  }

  close(): void {
    this.#ink = undefined;
    if (this.#printed !== "") this.#target.write(this.#printed);
    this.#printed = "";
    this.#target.off("resize", this.#resized);
  }

  readonly #resized = (): void => {
    const size = sizeOf(this.#target);
    if (size.columns === this.#size.columns && size.rows === this.#size.rows) return;
    this.#target.write(this.#eraser(size));
    this.#size = size;
    // The components draw anew. Ink does not hear of it: it would erase and draw once more.
    for (const listener of this.#listeners) listener();
  };

  /** The terminal may have its new size before the signal comes that tells of it: then this frame is not for it. */
  #beginFrame(): boolean {
    const before = this.#size;
    refreshSize(this.#target);
    return before === this.#size;
  }

  /** What erases the frame from the terminal that has this size now. */
  #eraser({ columns, rows }: TerminalSize): string {
    this.#captured = "";
    this.#ink?.clear();
    const up = rowsUp(this.#captured);
    const hasCursor = this.#captured.includes(hideCursor);
    this.#captured = undefined;
    const lines = this.#frame.split("\n");
    // If the cursor is shown, it is somewhere in the frame; else it is in the line below.
    const above = hasCursor ? lines.slice(0, up) : lines.slice(-up - 1, -1);
    const height =
      this.#breaksLines && columns < this.#size.columns
        ? above.reduce((sum, line) => sum + Math.max(1, Math.ceil(textWidth(line) / columns)), 0)
        : up;
    const moves = Math.min(height, rows - 1);
    return `${moves > 0 ? `\u001B[${moves}A` : ""}\r\u001B[J`;
  }

  #write(chunk: unknown, ...rest: readonly unknown[]): boolean {
    if (this.#hasLeft) return true;
    if (typeof chunk === "string") {
      if (this.#captured === undefined && chunk === beginFrame && !this.#beginFrame()) this.#captured = "";
      if (this.#captured !== undefined) {
        this.#captured += chunk;
        if (chunk === endFrame) this.#dropFrame();
        return true;
      }
      const text = withoutEscapes(chunk);
      if (text !== "") this.#frame = text;
      if (chunk.includes(this.#mark)) return this.#target.write(this.#withPrinted(chunk));
    }
    return Reflect.apply(this.#target.write, this.#target, [chunk, ...rest]) as boolean;
  }

  /** Ink has not drawn its frame, and knows that then. What belongs to the scrollback is written all the same. */
  #dropFrame(): void {
    this.#ink?.clear();
    this.#captured = undefined;
    if (this.#printed !== "") this.#target.write(this.#printed);
    this.#printed = "";
  }

  #withPrinted(chunk: string): string {
    const printed = this.#printed;
    this.#printed = "";
    return chunk.replace(`${this.#mark}\n`, () => printed);
  }

  /** The target, but with a size and events of its own. */
  #facade(): NodeJS.WriteStream {
    const own: Readonly<Record<string | symbol, () => unknown>> = {
      columns: () => this.#size.columns,
      rows: () => this.#size.rows,
      write:
        () =>
        (chunk: unknown, ...rest: readonly unknown[]) =>
          this.#write(chunk, ...rest),
      on: () => this.#withoutResize("on"),
      off: () => this.#withoutResize("off"),
    };
    return new Proxy(this.#target, {
      get: (target, key) => {
        const value: unknown = own[key]?.() ?? Reflect.get(target, key, target);
        return typeof value === "function" && own[key] === undefined ? value.bind(target) : value;
      },
    });
  }

  #withoutResize(method: "on" | "off"): unknown {
    return (event: string, listener: () => void): NodeJS.WriteStream => {
      if (event !== "resize") this.#target[method](event, listener);
      return this.stdout;
    };
  }
}

/** Characters without a meaning, other ones in each process. */
function privateCharacters(): string {
  return String.fromCodePoint(...[1, 2].map(() => 0x10_00_00 + Math.floor(Math.random() * 0xff_fd)));
}

/** Looks what size the terminal has now, and emits `resize` if it has another one than before. */
function refreshSize(target: NodeJS.WriteStream): void {
  const refresh: unknown = Reflect.get(target, "_refreshSize");
  if (typeof refresh === "function") Reflect.apply(refresh, target, []);
}

/** What Ink writes before and after a frame, for terminals that show it at once then. */
const beginFrame = "\u001B[?2026h";
const endFrame = "\u001B[?2026l";
const hideCursor = "\u001B[?25l";

/** Some terminals, such as those of recorders, report a size of 0. */
function sizeOf(target: NodeJS.WriteStream): TerminalSize {
  return { columns: target.columns || 80, rows: target.rows || 24 };
}

// oxlint-disable-next-line no-control-regex -- it matches control characters on purpose
const escapes = /\u001B\[[0-?]*[ -/]*[@-~]/gu;

function withoutEscapes(text: string): string {
  return text.replaceAll(escapes, "");
}

/** How many rows the cursor is moved up by this text. */
function rowsUp(text: string): number {
  let up = 0;
  // oxlint-disable-next-line no-control-regex -- it matches control characters on purpose
  for (const [, count, direction] of text.matchAll(/\u001B\[(\d*)([AB])/gu)) {
    up += (direction === "A" ? 1 : -1) * (count === "" ? 1 : Number(count));
  }
  return up;
}

/** Whether the terminal breaks lines that do not fit any more. Most do; these cut them. */
function breaksLines(env: Readonly<Record<string, string | undefined>>): boolean {
  if (env["XTERM_VERSION"] !== undefined) return false;
  return !/^(?:linux|screen)/u.test(env["TERM"] ?? "") || env["TMUX"] !== undefined;
}

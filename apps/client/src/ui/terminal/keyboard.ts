import type { Streams } from "../../cli/streams.ts";
import { type Report, KeyParser, type Typed } from "./key-parser.ts";

/** How long a lone Escape may be the beginning of a key, in milliseconds. */
const escapeTime = 50;

/** Reads what the user types, while it is on. */
export class Keyboard {
  readonly #input: Streams["input"];
  readonly #onTyped: (typed: Typed) => void;
  readonly #onReport: (report: Report) => void;
  #parser = new KeyParser();
  #decoder = new TextDecoder();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `onTyped` gets each key and each pasted text; `onReport` what the terminal tells by itself. */
  constructor(input: Streams["input"], onTyped: (typed: Typed) => void, onReport: (report: Report) => void = () => {}) {
    this.#input = input;
    this.#onTyped = onTyped;
    this.#onReport = onReport;
  }

  turnOn(): void {
    this.#parser = new KeyParser();
    this.#decoder = new TextDecoder();
    this.#input.setRawMode?.(true);
    this.#input.on("data", this.#read);
    this.#input.resume();
  }

  turnOff(): void {
    clearTimeout(this.#timer);
    this.#input.off("data", this.#read);
    this.#input.pause();
    this.#input.setRawMode?.(false);
  }

  readonly #read = (chunk: string | Uint8Array): void => {
    clearTimeout(this.#timer);
    this.#tell(this.#parser.push(typeof chunk === "string" ? chunk : this.#decoder.decode(chunk, { stream: true })));
    if (this.#parser.isWaiting) this.#timer = setTimeout(() => this.#tell(this.#parser.end()), escapeTime);
  };

  #tell(typed: readonly (Typed | Report)[]): void {
    for (const one of typed) {
      if ("isFocused" in one || "isShown" in one) this.#onReport(one);
      else this.#onTyped(one);
    }
  }
}

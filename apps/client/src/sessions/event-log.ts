import { closeSync, fstatSync, openSync, readFileSync, readSync, writeSync } from "node:fs";

import { replaceFileSync } from "@acp/sessions/internal";

import type { ExecEvent } from "./events/exec-event.ts";

/** How large a log may become, and how much of it stays when it has, in bytes. */
const limits = { largest: 16 * 2 ** 20, kept: 4 * 2 ** 20 };
/** How long a text that goes on may be held back, in milliseconds, and in characters. */
const held = { time: 200, length: 16_384 };

/** The events of a session in a file, one a line. What the file has too much goes with its oldest runs. */
export class EventLog {
  readonly #path: string;
  #file: number;
  #size: number;
  #isBroken = false;
  /** A part of a message, to which the next part is joined. */
  #part: ExecEvent | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @throws if the file cannot be opened. */
  constructor(path: string) {
    this.#path = path;
    this.#file = openSync(path, "a+", 0o600);
    this.#size = fstatSync(this.#file).size;
    const last = new Uint8Array(1);
    // A process that was killed may have left half a line.
    if (readSync(this.#file, last, 0, 1, Math.max(0, this.#size - 1)) > 0 && last[0] !== 0x0a) this.#append("\n");
  }

  /** Writes an event. A full disk ends the log, and not the run. */
  write(event: ExecEvent): undefined {
    if (event.type === "start" && this.#size > limits.largest / 2) this.#shorten();
    const joined = this.#part && joinParts(this.#part, event);
    if (joined === undefined) this.flush();
    const part = joined ?? event;
    if (!isPart(part) || part.text.length > held.length) {
      this.#part = undefined;
      this.#append(`${JSON.stringify(part)}\n`);
      return;
    }
    this.#part = part;
    this.#timer ??= setTimeout(() => this.flush(), held.time).unref();
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#part === undefined) return;
    const text = `${JSON.stringify(this.#part)}\n`;
    this.#part = undefined;
    this.#append(text);
  }

  close(): void {
    this.flush();
    closeSync(this.#file);
  }

  #append(text: string): void {
    if (this.#isBroken || this.#size > limits.largest) return;
    try {
      this.#size += writeSync(this.#file, text);
    } catch {
      this.#isBroken = true;
    }
  }

  /** Drops the oldest runs. */
  #shorten(): void {
    try {
      const text = readFileSync(this.#path);
      const from = text.indexOf('\n{"type":"start"', Math.max(0, text.length - limits.kept));
      replaceFileSync(this.#path, from < 0 ? "" : text.subarray(from + 1).toString("utf8"));
      closeSync(this.#file);
      this.#file = openSync(this.#path, "a", 0o600);
      this.#size = fstatSync(this.#file).size;
    } catch {
      this.#isBroken = true;
    }
  }
}

type Part = ExecEvent & { readonly type: "message" | "thought" };

function isPart(event: ExecEvent): event is Part {
  return (event.type === "message" || event.type === "thought") && event.content === undefined;
}

/** Two parts of a message as one. */
function joinParts(one: ExecEvent, other: ExecEvent): Part | undefined {
  if (!isPart(one) || !isPart(other) || other.replaces === true) return undefined;
  const isSame = (["type", "speaker", "messageId", "subagent"] as const).every((name) => one[name] === other[name]);
  return isSame ? { ...one, text: one.text + other.text } : undefined;
}

import type { ShownCall, TerminalTail } from "@acp/render";

import type { ShellRun } from "../../protocol/user-shell.ts";
import type { ChatItem } from "../chat-state.ts";
import { callEntry, type Entry, hasEnded } from "./entry.ts";

/** What the commands of the user need from the program around them. */
export interface ShellContext {
  start(line: string, signal: AbortSignal): Promise<ShellRun>;
  /** Shows what it prints. */
  follow(run: ShellRun): TerminalTail | undefined;
  nextId(): number;
  /** Adds an entry to the session of the user. Returns what says whether it is still open there; `undefined` without one. */
  add(entry: Entry): (() => boolean) | undefined;
  /** Adds what is known in the end. */
  addFinal(item: ChatItem): void;
  hint(text: string): void;
  changed(): void;
  readonly quit: AbortSignal;
}

/** The commands that the user runs with `!`. */
export class ShellRuns {
  /** The output of the last one that printed something, as a part of a prompt. */
  output: string | undefined;
  readonly #context: ShellContext;
  readonly #running: AbortController[] = [];
  /** Those that were started without a session. */
  readonly #early = new Set<Entry>();

  constructor(context: ShellContext) {
    this.#context = context;
  }

  /** What runs and belongs to no session. */
  get items(): ChatItem[] {
    return [...this.#early].flatMap((entry) => {
      entry.refresh();
      return entry.item ?? [];
    });
  }

  /** Ends the command that was started last. Returns whether there is one. */
  cancel(): boolean {
    const last = this.#running.at(-1);
    last?.abort();
    return last !== undefined;
  }

  /** Runs a line, and shows it as a call. */
  async run(line: string): Promise<void> {
    const { quit, changed, hint, nextId } = this.#context;
    const stop = new AbortController();
    const signal = AbortSignal.any([quit, stop.signal]);
    this.#running.push(stop);
    try {
      const run = await this.#context.start(line, signal);
      const tail = this.#context.follow(run);
      let call = callOf(run, "in_progress");
      const read = () => ({ kind: "call", toolCallId: run.id, call }) as const;
      const shown = callEntry(
        { id: nextId(), beside: undefined },
        read,
        () => tail,
        () => 0,
      );
      const entry = Object.assign(shown, { isFinal: () => hasEnded(call) });
      const isOpen = this.#context.add(entry);
      if (isOpen === undefined) this.#early.add(entry);
      const end = (status: string): void => {
        call = callOf(run, status);
        changed();
      };
      signal.addEventListener("abort", () => end("cancelled"), { once: true });
      await run.exited;
      if (!signal.aborted) end("completed");
      entry.refresh();
      const item = entry.final();
      this.#early.delete(entry);
      if (isOpen?.() !== true && item !== undefined) this.#context.addFinal(item);
      this.output = run.block() ?? this.output;
      if (run.block() !== undefined && !quit.aborted) hint("/attach-output puts the output into the prompt");
    } finally {
      this.#running.splice(this.#running.indexOf(stop), 1);
    }
  }
}

function callOf({ id, view }: ShellRun, status: string): ShownCall {
  const content = [{ kind: "terminal", terminalId: id } as const];
  return { title: view.command, kind: "", status, locations: [], content, commands: [], output: () => ({}) };
}

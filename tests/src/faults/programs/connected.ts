import { contentLength, ndjson } from "@acp/core";
import type { SpawnAgentOptions } from "@acp/host";

import { type Cell, effectOf } from "../cell.ts";
import { maxMessageBytes } from "../faults.ts";

/** A connected agent, in either version. */
export interface Connected {
  authenticate(): Promise<void>;
  open(): Promise<Opened>;
  load(): Promise<Opened>;
  close(): Promise<void>;
}

export interface Opened {
  prompt(text: string): Started;
  close(): Promise<void>;
}

/** A turn. */
export interface Started {
  /** The first update. */
  readonly first: Promise<void>;
  cancel(): void;
  /** Resolves with the stop reason and the text. */
  readonly ended: Promise<string>;
}

/** How to start the raw agent. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
}

export function spawnOptions(cell: Cell, program: Program): SpawnAgentOptions {
  const { framing, step } = cell;
  // It may have taken the question before it closed its stdin: then it never answers, and nothing fails before this does.
  const neverAnswers = effectOf(cell) === "deaf" && step === "before initialize";
  return {
    ...program,
    ...(neverAnswers ? { startTimeout: 2_000 } : {}),
    framing: framing === "ndjson" ? ndjson : contentLength,
    maxMessageBytes,
    // One that does not end with its stdin never will.
    shutdown: { eofGrace: 100 },
  };
}

/** Holds a handler until the raw agent lets it go on, or its signal aborts. */
export class Gates {
  readonly #open = new Map<string, () => void>();

  async wait(
    method: string,
    agent: { notify(method: "_asked", params: object): Promise<void> },
    signal: AbortSignal,
  ): Promise<void> {
    const opened = new Promise<void>((resolve) => {
      this.#open.set(method, resolve);
      signal.addEventListener("abort", () => resolve());
    });
    await agent.notify("_asked", { what: method });
    if (!signal.aborted) await opened;
  }

  open(what: string): void {
    this.#open.get(what)?.();
  }
}

/** Asks the peer several things at once, and checks that each gets its own answer. */
export async function askSeveral(
  count: number,
  peer: { request<R>(method: "_echo", params: object): Promise<R> },
): Promise<void> {
  const echoes = await Promise.all(
    Array.from({ length: count }, (_, value) => peer.request<{ value: number }>("_echo", { value })),
  );
  if (!echoes.every(({ value }, index) => value === index)) throw new Error("An answer went to another request");
}

/** What a turn says, from its updates. */
export function follow(
  updates: AsyncIterable<{ readonly sessionUpdate: unknown; readonly content?: unknown }>,
  ended: Promise<{ readonly stopReason?: unknown }>,
  cancel: () => void,
): Started {
  let sawFirst = (): void => {};
  const first = new Promise<void>((resolve) => (sawFirst = resolve));
  const read = async (): Promise<string> => {
    let texts = "";
    for await (const { sessionUpdate, content } of updates) {
      if (sessionUpdate !== "agent_message_chunk") continue;
      texts += (content as { readonly text?: string }).text ?? "";
      sawFirst();
    }
    return `${String((await ended).stopReason)}: ${texts}`;
  };
  return { first, cancel, ended: read() };
}

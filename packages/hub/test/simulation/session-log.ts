import { isObject } from "@acp/core/internal";

import type { Cursor } from "../../src/journal/cursor.ts";
import { type AskOutcome, decodeEntry, type Entry } from "../../src/journal/entry.ts";
import type { Claim } from "../../src/journal/journal.ts";
import type { World } from "./world.ts";

/** A piece of an agent's text: who wrote it, in which message, and the number of it. */
const piece = /<(\w+)\.(\w+)\.(\d+)>/gu;

/** What a session's journal has, as somebody sees it who sees everything; and whether it may be so. */
export class SessionLog {
  readonly session: string;
  readonly texts: string[] = [];
  readonly entries: Entry[] = [];
  /** The session was removed: what comes late counts no more. */
  isRemoved = false;
  /** The claim that counts. */
  epoch = 0;
  holder: { readonly keeper: string; until: number } | undefined;
  /** The keys of prompts that were begun, and whether they have ended. */
  readonly prompts: Map<string, "begun" | "ended"> = new Map();
  /** How questions ended, by the words of the agent, and when. */
  readonly answers: Map<string, { readonly outcome: AskOutcome; readonly time: number }> = new Map();
  /** The questions that are open: their ids, and the words of the agent. */
  readonly open: Map<string, string> = new Map();
  /** The last piece of each agent. */
  readonly pieces: Map<string, number> = new Map();
  /** Up to here, late clients are shown what compaction has made, which is this. */
  compacted = 0;
  readonly short: Set<string> = new Set();
  /** All claims, from the first on. */
  readonly claims: Claim[] = [];
  /** The place of the last command. */
  sent = 0;
  hasForgotten = false;
  /** The entries that an engine has forgotten, and the prompts that they were of. */
  readonly lost: Set<string> = new Set();
  readonly lostPrompts: Set<string> = new Set();
  /** The prompts that somebody has cancelled. */
  readonly cancelled: Set<string> = new Set();
  readonly #asked = new Set<string>();
  readonly #world: World;

  constructor(world: World, session: string) {
    this.#world = world;
    this.session = session;
  }

  get end(): Cursor | "start" {
    const last = this.entries.at(-1);
    return last === undefined ? "start" : { epoch: last.epoch, n: last.n };
  }

  /** Whether nothing is left to do. */
  get isSettled(): boolean {
    return this.open.size === 0 && ![...this.prompts.values()].includes("begun");
  }

  compact(upTo: number, entries: readonly string[]): void {
    this.#world.say(`${this.session} is compacted up to ${upTo}, to ${entries.length} entries`);
    this.compacted = Math.max(this.compacted, upTo);
    for (const text of entries) this.short.add(text);
  }

  /** The engine has forgotten so many of the last entries. */
  forget(count: number): void {
    this.hasForgotten ||= count > 0;
    const kept = this.texts.slice(0, Math.max(0, this.texts.length - count));
    for (const text of this.texts.slice(kept.length)) this.lost.add(text);
    for (const entry of this.entries.slice(kept.length)) if (entry.t === "done") this.lostPrompts.add(entry.key);
    for (const key of this.prompts.keys()) this.lostPrompts.add(key);
    this.texts.length = 0;
    this.entries.length = 0;
    for (const seen of [this.prompts, this.answers, this.open, this.pieces, this.#asked]) seen.clear();
    for (const text of kept) {
      const entry = decodeEntry(text);
      if (entry === undefined) continue;
      this.texts.push(text);
      this.entries.push(entry);
      this.#apply(entry);
    }
    for (const key of this.prompts.keys()) this.lostPrompts.delete(key);
  }

  add(text: string): void {
    const entry = decodeEntry(text);
    if (entry === undefined) return this.#world.fail(`the journal has ${text}`);
    this.#world.say(`journal ${this.session} += ${text.slice(0, 220)}`);
    if (entry.n !== this.entries.length + 1)
      this.#world.fail(`entry ${entry.n} follows entry ${this.entries.length} of ${this.session}`);
    if (entry.epoch !== this.epoch)
      this.#world.fail(`entry ${entry.epoch}-${entry.n} was written after claim ${this.epoch}`);
    this.texts.push(text);
    this.entries.push(entry);
    // A write that was on its way may bring back what was forgotten.
    this.lost.delete(text);
    this.#apply(entry);
  }

  #apply(entry: Entry): void {
    const { fail } = { fail: (message: string) => this.#world.fail(message) };
    switch (entry.t) {
      case "message":
        if (this.prompts.has(entry.key)) fail(`prompt ${entry.key} is begun twice`);
        this.prompts.set(entry.key, "begun");
        return;
      case "state":
        if (entry.key === undefined || entry.state.state === "running" || entry.state.state === "requires_action")
          return;
        if (this.prompts.get(entry.key) !== "begun") fail(`prompt ${entry.key} ends, and is not running`);
        this.prompts.set(entry.key, "ended");
        return;
      case "done":
        // Who sends a prompt again is told again how it has ended.
        if (this.prompts.get(entry.key) === "begun") fail(`prompt ${entry.key} is done, and still runs`);
        return;
      case "ask":
        if (this.#asked.has(entry.id)) fail(`question ${entry.id} is asked twice`);
        this.#asked.add(entry.id);
        this.open.set(entry.id, questionOf(entry.params));
        return;
      case "answered": {
        const question = this.open.get(entry.id);
        if (question === undefined) return fail(`question ${entry.id} is answered, and is not open`);
        this.open.delete(entry.id);
        this.answers.set(question, { outcome: entry.outcome, time: this.#world.now });
        return;
      }
      case "update":
        return this.#noteUpdate(entry.update);
    }
  }

  #noteUpdate(update: unknown): void {
    const { messageId, content } = Object(update) as { messageId?: unknown; content?: unknown };
    const text = isObject(content) ? content["text"] : undefined;
    if (typeof text !== "string") return;
    for (const [, agent = "", message, number] of text.matchAll(piece)) {
      if (message !== messageId) this.#world.fail(`a piece of message ${message} is in message ${String(messageId)}`);
      const last = this.pieces.get(agent) ?? 0;
      if (Number(number) !== last + 1) this.#world.fail(`piece ${number} of ${agent} follows piece ${last}`);
      this.pieces.set(agent, Number(number));
    }
  }
}

/** The words of a question: its title. */
export function questionOf(params: unknown): string {
  const call: unknown = isObject(params) ? params["toolCall"] : undefined;
  return isObject(call) ? String(call["title"]) : "";
}

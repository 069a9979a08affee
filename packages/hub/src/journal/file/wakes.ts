import { type FSWatcher, mkdirSync, readdirSync, statSync, utimesSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { codeOf } from "@acp/sessions/internal";

import { inSlices } from "./slices.ts";

/** How often to look for what no event told, in milliseconds. */
const pollTime = 2000;

type Changed = (session: string) => void;

/** Those of this process that watch, by the folder of the stamps: they need not wait for the file system. */
const listeners = new Map<string, Set<Wakes>>();

/** Tells which sessions of a folder have changed, in whichever process. */
export class Wakes {
  readonly #stamps: string;
  readonly #idOf: (name: string) => string | undefined;
  readonly #wake: Changed;
  /** The times of the stamps as they were last seen. */
  readonly #seen = new Map<string, number>();
  readonly #timer: ReturnType<typeof setInterval>;
  #watcher: FSWatcher | undefined;
  #isPolling = false;

  /** @param idOf The session that has a stamp of this name. */
  constructor(stamps: string, idOf: (name: string) => string | undefined, wake: Changed) {
    this.#stamps = stamps;
    this.#idOf = idOf;
    this.#wake = wake;
    mkdirSync(stamps, { recursive: true, mode: 0o700 });
    listeners.set(stamps, (listeners.get(stamps) ?? new Set()).add(this));
    for (const name of readdirSync(stamps)) this.#isNews(name);
    this.#watcher = this.#watch();
    this.#timer = setInterval(() => void this.#poll(), pollTime);
    this.#timer.unref();
  }

  close(): void {
    listeners.get(this.#stamps)?.delete(this);
    if (listeners.get(this.#stamps)?.size === 0) listeners.delete(this.#stamps);
    clearInterval(this.#timer);
    this.#watcher?.close();
    this.#watcher = undefined;
  }

  /** Gets a change that was made in this process. */
  notice(name: string, session: string): void {
    this.#isNews(name);
    this.#wake(session);
  }

  #watch(): FSWatcher | undefined {
    try {
      const watcher = watch(this.#stamps, { persistent: false }, (_, name) => {
        if (name !== null) this.#look(name);
      });
      // Looking from time to time has to do.
      watcher.on("error", () => watcher.close());
      return watcher;
    } catch {
      return undefined;
    }
  }

  #look(name: string): void {
    if (!this.#isNews(name)) return;
    const session = this.#idOf(name);
    if (session !== undefined) this.#wake(session);
  }

  /** Whether a stamp has another time than when it was last seen. */
  #isNews(name: string): boolean {
    const time = statSync(join(this.#stamps, name), { throwIfNoEntry: false })?.mtimeMs;
    if (time === undefined) return this.#seen.delete(name);
    const isNews = this.#seen.get(name) !== time;
    this.#seen.set(name, time);
    return isNews;
  }

  async #poll(): Promise<void> {
    if (this.#isPolling) return;
    this.#isPolling = true;
    try {
      for await (const name of inSlices(readdirSync(this.#stamps))) this.#look(name);
    } catch {
      // The folder is away for a moment, or for good: then there is nothing to tell.
    } finally {
      this.#isPolling = false;
    }
  }
}

/** Tells everybody that a session has changed. Never throws: whoever is not told finds out later. */
export function stampSession(stamps: string, name: string, session: string): void {
  try {
    setStamp(join(stamps, name));
  } catch {
    // What was changed is there all the same.
  }
  for (const wakes of listeners.get(stamps) ?? []) wakes.notice(name, session);
}

let stamped = Math.floor(Math.random() * 1000);

function setStamp(path: string): void {
  // Finer than milliseconds, so that two changes have two times.
  stamped = (stamped + 1) % 1000;
  const now = Date.now() / 1000 + stamped / 1_000_000;
  try {
    utimesSync(path, now, now);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    writeFileSync(path, "", { mode: 0o600 });
  }
}

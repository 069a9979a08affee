import { realpathSync, appendFileSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { join, dirname } from "node:path";

import { replaceFileSync } from "@acp/sessions/internal";

import type { Environment } from "../../../cli/streams.ts";
import { foldersOf } from "../../../agents/folders.ts";
import { membersOf } from "../../../text/json-text.ts";

/** Opens the user's history, which lasts. The prompts of this directory come first. */
export function openHistory({ cwd: given, env }: { readonly cwd: string; readonly env: Environment }): PromptHistory {
  const cwd = realPathOf(given);
  const file = new HistoryFile(join(foldersOf(env).state, "history.jsonl"));
  /** What was not sent: it may be a secret in the wrong window, so it is in no file. `after`: how many prompts were sent before. */
  const kept: { readonly prompt: string; readonly after: number }[] = [];
  let sent = 0;
  return {
    get entries() {
      const isOwn = (entry: HistoryEntry): boolean => entry.cwd === cwd || entry.cwd === given;
      const [own = [], others = []] = [true, false].map((isWanted) =>
        file.read().flatMap((entry) => (isOwn(entry) === isWanted ? [entry.prompt] : [])),
      );
      for (const { prompt, after } of kept) own.splice(own.length - (sent - after), 0, prompt);
      // Each prompt once: where it stands last.
      return [...new Set([...others, ...own].toReversed())].toReversed();
    },
    add(prompt) {
      file.append({ cwd, prompt });
      sent += 1;
    },
    keep: (prompt) => void kept.push({ prompt, after: sent }),
  };
}

/** A link to the directory is the directory. */
function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** The prompts of earlier runs, and of this one. */
export interface PromptHistory {
  /** The newest last; those of the current directory come after all others. */
  readonly entries: readonly string[];
  add(prompt: string): void;
  /** Adds a prompt that was not sent: it is forgotten with this run. */
  keep(prompt: string): void;
}

/** A prompt in the file. */
export interface HistoryEntry {
  readonly cwd: string;
  readonly prompt: string;
}

/** The file is shortened when it is larger, in bytes; that many entries stay. */
const limits = { size: 1024 * 1024, entries: 2_000, prompt: 64 * 1024 };

/**
 * The file of the history: a JSON value a line. Each prompt is appended by one write, so several processes can use it at once.
 * Only the user can read it: prompts may have secrets in them. A history that cannot be read or written is no reason to stop.
 */
export class HistoryFile {
  readonly #path: string;
  #entries: readonly HistoryEntry[] = [];
  /** They are there for the rest of this run. */
  readonly #unwritten: HistoryEntry[] = [];
  /** What the file looked like when it was read. */
  #seen = "";

  constructor(path: string) {
    this.#path = path;
  }

  /** All entries, also those that other processes have added meanwhile. */
  read(): readonly HistoryEntry[] {
    const { size, mtimeMs } = this.#stat();
    const seen = `${size} ${mtimeMs}`;
    if (seen !== this.#seen) {
      this.#entries = this.#parse();
      this.#seen = seen;
    }
    return this.#unwritten.length === 0 ? this.#entries : [...this.#entries, ...this.#unwritten];
  }

  append(entry: HistoryEntry): void {
    if (entry.prompt.length > limits.prompt) return;
    try {
      mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
      this.#shorten();
      appendFileSync(this.#path, lineOf(entry), { mode: 0o600 });
    } catch {
      this.#unwritten.push(entry);
    }
  }

  #shorten(): void {
    const { size } = this.#stat();
    if (size <= limits.size) return;
    const kept = this.#parse().slice(-limits.entries);
    while (kept.length > 1 && kept.reduce((sum, { prompt }) => sum + prompt.length, 0) > limits.size / 2) {
      kept.splice(0, Math.ceil(kept.length / 4));
    }
    // Another process may have added something: then it stays long until the next prompt.
    replaceFileSync(this.#path, kept.map(lineOf).join(""), () => this.#stat().size === size);
  }

  #stat(): { readonly size: number; readonly mtimeMs: number } {
    try {
      return statSync(this.#path);
    } catch {
      return { size: 0, mtimeMs: 0 };
    }
  }

  #parse(): HistoryEntry[] {
    try {
      return readFileSync(this.#path, "utf8").split("\n").flatMap(entriesOf);
    } catch {
      return [];
    }
  }
}

function lineOf({ cwd, prompt }: HistoryEntry): string {
  return `${JSON.stringify({ cwd, prompt })}\n`;
}

/** The entry of a line; none if it is broken, or of a later version of this program. */
function entriesOf(line: string): HistoryEntry[] {
  try {
    const { cwd, prompt } = membersOf(JSON.parse(line));
    return typeof cwd === "string" && typeof prompt === "string" ? [{ cwd, prompt }] : [];
  } catch {
    return [];
  }
}

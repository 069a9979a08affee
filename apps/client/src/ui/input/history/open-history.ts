import { realpathSync } from "node:fs";
import { join } from "node:path";

import { foldersOf } from "../../../agents/folders.ts";
import { type HistoryEntry, HistoryFile } from "./history-file.ts";

/** Opens the user's history, which lasts. The prompts of this directory come first. */
export function openHistory(place: {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}): PromptHistory {
  const { env } = place;
  const cwd = realPathOf(place.cwd);
  const file = new HistoryFile(join(foldersOf(env).state, "history.jsonl"));
  return {
    get entries() {
      const known = file.read();
      const isOwn = (entry: HistoryEntry): boolean => entry.cwd === cwd || entry.cwd === place.cwd;
      const own = known.filter(isOwn);
      const others = known.filter((entry) => !isOwn(entry));
      return withoutRepeats([...others, ...own].map(({ prompt }) => prompt));
    },
    add(prompt) {
      file.append({ cwd, prompt });
    },
  };
}

/** Each prompt once: where it stands last. */
function withoutRepeats(prompts: readonly string[]): string[] {
  return [...new Set(prompts.toReversed())].toReversed();
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
}

/** A history that is forgotten with this object. */
export function createHistory(entries: readonly string[] = []): PromptHistory {
  let known = entries;
  return {
    get entries() {
      return known;
    },
    add(prompt) {
      known = [...known.filter((one) => one !== prompt), prompt];
    },
  };
}

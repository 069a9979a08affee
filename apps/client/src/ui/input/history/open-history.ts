import { join } from "node:path";

import { foldersOf } from "../../../agents/folders.ts";
import { HistoryFile } from "./history-file.ts";
import type { PromptHistory } from "./prompt-history.ts";

/** Opens the user's history, which lasts. The prompts of this directory come first. */
export function openHistory(place: {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}): PromptHistory {
  const { cwd, env } = place;
  const file = new HistoryFile(join(foldersOf(env).state, "history.jsonl"));
  return {
    get entries() {
      const known = file.read();
      const own = known.filter((entry) => entry.cwd === cwd);
      const others = known.filter((entry) => entry.cwd !== cwd);
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

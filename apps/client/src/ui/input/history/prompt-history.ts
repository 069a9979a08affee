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

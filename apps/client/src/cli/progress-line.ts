import type { Streams } from "./streams.ts";

/** A line of a terminal that says what is going on, until the next one takes its place. */
export interface ProgressLine {
  show(step: string): void;
  /** Takes it away, so that something else can be written. */
  clear(): void;
}

/** Shows progress on stderr, if that is a terminal. */
export function createProgressLine({ error }: Streams, isWanted = true): ProgressLine {
  const isShown = isWanted && error.isTTY === true;
  return {
    show: (step) => void (isShown && error.write(`\r\u001B[K${step} …`)),
    clear: () => void (isShown && error.write("\r\u001B[K")),
  };
}

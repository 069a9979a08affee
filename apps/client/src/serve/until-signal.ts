import { ExitCode } from "../cli/exit-code.ts";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Waits for a signal that ends this process. Another one ends it at once. */
export function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    let isEnding = false;
    const end = (): void => {
      if (isEnding) process.exit(ExitCode.cancelled);
      isEnding = true;
      resolve();
    };
    for (const signal of signals) process.on(signal, end);
  });
}

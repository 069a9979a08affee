import { isThenable } from "./thenable.ts";

/**
 * Calls a listener that nobody waits for. `failed` is told of what it throws, and of what it rejects with: an `async`
 * function passes for one that returns nothing, and a rejection that nobody handles ends a Node process.
 */
export function tell<T>(listener: (value: T) => unknown, value: T, failed: (error: unknown) => void): void {
  try {
    const outcome = listener(value);
    if (isThenable(outcome)) outcome.then(undefined, failed);
  } catch (error) {
    failed(error);
  }
}

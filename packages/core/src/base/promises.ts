import { isObject } from "./values.ts";

/** A promise that others wait for, with what settles it. It rejects only with a promise that it is resolved with. */
export interface Deferred {
  readonly promise: Promise<void>;
  resolve(outcome?: Promise<void>): void;
}

/** A {@link Deferred} that is not settled yet. (`Promise.withResolvers` is missing from Node 20.) */
export function createDeferred(): Deferred {
  let resolve!: Deferred["resolve"];
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/** Whether a handler's outcome has to be awaited. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return isObject(value) && typeof value["then"] === "function";
}

/** Returns the same promise. If nobody awaits it, its rejection does not end the program: it was reported elsewhere. */
export function ignoreRejection<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

/**
 * Calls a listener without waiting for it. `onFailure` receives what it throws, and what it rejects with: TypeScript takes an
 * `async` function as a listener, and an unhandled rejection would end a Node process.
 */
export function callListener<T>(listener: (value: T) => unknown, value: T, onFailure: (error: unknown) => void): void {
  try {
    const outcome = listener(value);
    if (isThenable(outcome)) outcome.then(undefined, onFailure);
  } catch (error) {
    onFailure(error);
  }
}

/** `Symbol.asyncDispose`, also where the runtime lacks it. */
export const asyncDispose: typeof Symbol.asyncDispose =
  Symbol.asyncDispose ?? (Symbol.for("Symbol.asyncDispose") as typeof Symbol.asyncDispose);

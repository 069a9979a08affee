/** A promise that is settled from outside. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(reason: unknown): void;
}

/** What `Promise.withResolvers` returns, also on Node.js 20. */
export function createDeferred<T>(): Deferred<T> {
  const parts: { resolve?: (value: T) => void; reject?: (reason: unknown) => void } = {};
  const promise = new Promise<T>((resolve, reject) => {
    parts.resolve = resolve;
    parts.reject = reject;
  });
  return { promise, resolve: (value) => parts.resolve?.(value), reject: (reason) => parts.reject?.(reason) };
}

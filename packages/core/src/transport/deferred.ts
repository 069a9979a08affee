/** A promise that others wait for, with what settles it. It never rejects. */
export interface Deferred {
  readonly promise: Promise<void>;
  resolve(): void;
}

/** A {@link Deferred} that is not settled yet. (`Promise.withResolvers` is missing from Node 20.) */
export function createDeferred(): Deferred {
  let resolve!: () => void;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

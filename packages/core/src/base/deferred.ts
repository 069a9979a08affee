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

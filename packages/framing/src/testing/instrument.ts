/** What one call of a primitive costs, in bytes touched. */
type Cost = (self: Uint8Array, args: readonly unknown[], result: unknown) => number;

const asNumber = (value: unknown, otherwise: number): number => (typeof value === "number" ? value : otherwise);
const sizeOf = (value: unknown): number => (value instanceof Uint8Array ? value.length : 0);

const costs: Readonly<Record<string, Cost>> = {
  set: (_, [source]) => sizeOf(source),
  slice: (_, __, result) => sizeOf(result),
  copyWithin: (self, [, start, end]) => asNumber(end, self.length) - asNumber(start, 0),
  indexOf: (self, [, from], found) => (found === -1 ? self.length : asNumber(found, 0) + 1) - asNumber(from, 0),
  lastIndexOf: (self, _, found) => self.length - Math.max(asNumber(found, 0), 0),
};

/** Counts the bytes that are moved, searched and decoded while `run` runs, by standing in for the primitives. */
export function countWork(run: () => void): number {
  let work = 0;
  const undo: (() => void)[] = [];
  const replace = (target: object, name: string, cost: Cost): void => {
    const own = Object.getOwnPropertyDescriptor(target, name);
    const original: unknown = Reflect.get(target, name);
    if (typeof original !== "function") throw new TypeError(`No method ${name}`);
    Object.defineProperty(target, name, {
      configurable: true,
      writable: true,
      value(this: Uint8Array, ...args: unknown[]): unknown {
        const result: unknown = Reflect.apply(original, this, args);
        work += cost(this, args, result);
        return result;
      },
    });
    undo.push(() =>
      own === undefined ? Reflect.deleteProperty(target, name) : Object.defineProperty(target, name, own),
    );
  };
  for (const [name, cost] of Object.entries(costs)) replace(Uint8Array.prototype, name, cost);
  replace(TextDecoder.prototype, "decode", (_, [bytes]) => sizeOf(bytes));
  try {
    run();
  } finally {
    for (const restore of undo) restore();
  }
  return work;
}

/** Counts the bytes of all arrays that are made while `run` runs. */
export function countAllocated(run: () => void): number {
  const original = globalThis.Uint8Array;
  let allocated = 0;
  globalThis.Uint8Array = new Proxy(original, {
    construct(target, args: readonly unknown[], newTarget) {
      allocated += asNumber(args[0], 0);
      return Reflect.construct(target, args, newTarget);
    },
  });
  try {
    run();
  } finally {
    globalThis.Uint8Array = original;
  }
  return allocated;
}

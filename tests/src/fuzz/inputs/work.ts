/** What a call of a primitive costs, in bytes or characters that it touches. */
type Cost = (self: { readonly length: number }, args: readonly unknown[], result: unknown) => number;

const asNumber = (value: unknown, otherwise: number): number => (typeof value === "number" ? value : otherwise);
const lengthOf = (value: unknown): number =>
  value instanceof Uint8Array || typeof value === "string" ? value.length : 0;
const found: Cost = (self, [, from], at) => (at === -1 ? self.length : asNumber(at, 0) + 1) - asNumber(from, 0);

const costs: readonly (readonly [prototype: object, name: string, cost: Cost])[] = [
  [Uint8Array.prototype, "set", (_, [source]) => lengthOf(source)],
  [Uint8Array.prototype, "slice", (_, __, result) => lengthOf(result)],
  [Uint8Array.prototype, "copyWithin", (self, [, start, end]) => asNumber(end, self.length) - asNumber(start, 0)],
  [Uint8Array.prototype, "indexOf", found],
  [TextDecoder.prototype, "decode", (_, [bytes]) => lengthOf(bytes)],
  [String.prototype, "indexOf", found],
  [String.prototype, "includes", (self) => self.length],
  [String.prototype, "charCodeAt", () => 1],
  [JSON, "parse", (_, [text]) => lengthOf(text)],
];

/** Counts what `run` moves, searches, decodes and parses, by standing in for the primitives. */
export function countWork(run: () => void): number {
  let work = 0;
  const undo = costs.map(([target, name, cost]) => {
    const own = Object.getOwnPropertyDescriptor(target, name);
    const original: unknown = Reflect.get(target, name);
    Object.defineProperty(target, name, {
      configurable: true,
      writable: true,
      value(this: { readonly length: number }, ...args: unknown[]): unknown {
        const result: unknown = Reflect.apply(original as () => unknown, this, args);
        work += cost(this, args, result);
        return result;
      },
    });
    return (): void => {
      if (own === undefined) Reflect.deleteProperty(target, name);
      else Object.defineProperty(target, name, own);
    };
  });
  try {
    run();
  } finally {
    for (const restore of undo) restore();
  }
  return work;
}

/** A view of a value that counts how often its members are read. */
export function countReads(value: unknown): { readonly value: unknown; reads: number } {
  const counted = { value, reads: 0 };
  const views = new Map<object, object>();
  const view = (part: unknown): unknown => {
    if (typeof part !== "object" || part === null) return part;
    const known = views.get(part);
    if (known !== undefined) return known;
    const made = new Proxy(part, {
      get(target, key) {
        counted.reads += 1;
        return view(Reflect.get(target, key));
      },
    });
    views.set(part, made);
    return made;
  };
  return Object.assign(counted, { value: view(value) });
}

/** How many members and values a JSON value has. */
export function sizeOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce<number>((sum, part) => sum + sizeOf(part), 1);
}

/** Members by name, known or not. */
type Members = Readonly<Record<string, unknown>>;

/** A change to a `T`: any of its members, or null. */
type Change<T> = { readonly [K in keyof T]?: T[K] | null };

/** What says of which kind an item or an update is; never part of a change. */
const tags: ReadonlySet<string> = new Set(["type", "sessionUpdate"]);

/** With the members of a patch, in which absent means unchanged and null cleared. The same object if nothing changes. */
export function patched<T extends object>(target: T, patch: Change<T>): T {
  return changed(target, patch, true);
}

/** With the members of a change, in which absent and null mean unchanged. The same object if nothing changes. */
export function updated<T extends object>(target: T, change: Change<T>): T {
  return changed(target, change, false);
}

function changed<T extends object>(target: T, change: Members, nullClears: boolean): T {
  const news = Object.entries(change).filter(([name, value]) => {
    if (tags.has(name) || value === undefined || (value === null && !nullClears)) return false;
    const known: unknown = Object.getOwnPropertyDescriptor(target, name)?.value;
    return value === null ? known !== undefined : known !== value;
  });
  if (news.length === 0) return target;
  const copy = { ...target };
  for (const [name, value] of news) {
    // Not assigned: the name may be `__proto__`.
    if (value === null) Reflect.deleteProperty(copy, name);
    else Object.defineProperty(copy, name, { value, writable: true, enumerable: true, configurable: true });
  }
  return copy;
}

/** A change to a `T`: any of its members, or null. */
export type Patch<T> = { readonly [K in keyof T]?: T[K] | null };

/** The members that name the kind of an item or an update; never part of a change. */
const tags: ReadonlySet<string> = new Set(["type", "sessionUpdate"]);

/** Applies a patch: absent means unchanged, null clears. Returns the same object if nothing changes. */
export function applyPatch<T extends object>(target: T, patch: Patch<T>): T {
  return applyMembers(target, patch, true);
}

/** Applies a change: absent and null mean unchanged. Returns the same object if nothing changes. */
export function applyChange<T extends object>(target: T, change: Patch<T>): T {
  return applyMembers(target, change, false);
}

function applyMembers<T extends object>(target: T, change: Readonly<Record<string, unknown>>, nullClears: boolean): T {
  const changed = Object.entries(change).filter(([name, value]) => {
    if (tags.has(name) || value === undefined || (value === null && !nullClears)) return false;
    const known: unknown = Object.getOwnPropertyDescriptor(target, name)?.value;
    return value === null ? known !== undefined : known !== value;
  });
  if (changed.length === 0) return target;
  const copy = { ...target };
  for (const [name, value] of changed) {
    // Not assigned: the name may be `__proto__`.
    if (value === null) Reflect.deleteProperty(copy, name);
    else Object.defineProperty(copy, name, { value, writable: true, enumerable: true, configurable: true });
  }
  return copy;
}

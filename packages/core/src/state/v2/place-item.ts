import { patched } from "../shared/patch.ts";
import type { Timeline } from "../shared/timeline.ts";

/** With an item in the place of the one with its id, or at the end if there is none. The same if that is there. */
export function placed<Item extends { readonly type: string }, Identified extends string>(
  timeline: Timeline<Item, Identified>,
  item: Item & { readonly type: Identified },
  id: string,
): Timeline<Item, Identified> {
  const position = timeline.position(item.type, id);
  if (position === undefined) return timeline.append(item).register(item.type, id, timeline.length);
  return timeline.at(position) === item ? timeline : timeline.replace(position, item);
}

interface WithMeta {
  readonly _meta?: { readonly [key: string]: unknown };
}

/** A change of a `T`: any of its members, or null. */
type Patch<T> = { readonly [K in keyof T]?: T[K] | null };

/**
 * With the members of a patch: absent means unchanged, null cleared. Custom data is patched name by name in the same way.
 * The same object if nothing changes.
 */
export function merged<T extends WithMeta>(target: T, { _meta, ...patch }: Patch<T>): T {
  const meta = _meta && Object.entries({ ...target._meta, ..._meta }).filter(([, value]) => value !== null);
  // Without a name left there is none.
  const kept = meta && (meta.length > 0 ? Object.fromEntries(meta) : null);
  return patched(target, { ...patch, _meta: kept } as Patch<T>);
}

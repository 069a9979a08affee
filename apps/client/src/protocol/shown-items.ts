import { unknownVariant } from "@acp/schema";

import type { Choice, ShownCall, ShownContent, ShownItem, ShownSession, ShownTimeline } from "./shown.ts";

const items = new WeakMap<ShownCall, ShownItem & { readonly kind: "call" }>();

/** The item of a call: the same one for the same call. */
export function callItem(call: ShownCall, toolCallId: string): ShownItem & { readonly kind: "call" } {
  const item = items.get(call) ?? { kind: "call", toolCallId, call };
  items.set(call, item);
  return item;
}

/** An item of a call's content of a kind that this client does not know. */
export function unknownContent(item: object): ShownContent {
  return { kind: "content", content: { type: unknownVariant, received: { ...item } } };
}

interface NamedValue {
  readonly value: string;
  readonly name: string;
  readonly description?: string | null;
}

type Entry = NamedValue | { readonly name: string; readonly options: readonly NamedValue[] };

/** The values of an option of either version, which may stand in groups. */
export function toChoices(entries: readonly Entry[]): Choice[] {
  return entries.flatMap((entry) =>
    "options" in entry ? entry.options.map((value) => toChoice(value, entry.name)) : [toChoice(entry, undefined)],
  );
}

function toChoice({ value, name, description }: NamedValue, group: string | undefined): Choice {
  return { value, name, description: description ?? undefined, group };
}

/** A function that remembers its result for each argument, for arguments that never change. */
export function remember<Key extends object, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    let result = known.get(key);
    if (result === undefined) known.set(key, (result = { value: compute(key) }));
    return result.value;
  };
}

/** How a version reads what a session shows from its state. */
interface Reading<State> {
  timeline(state: State): ShownTimeline;
  isBusy(state: State): boolean;
  plan(state: State): ShownSession["plan"];
  commands(state: State): ShownSession["commands"];
  options(state: State): ShownSession["options"];
  call(state: State, toolCallId: string): ShownCall | undefined;
}

/** Adapts the state of a session to the transcript. */
export function showStore<
  State extends Pick<ShownSession, "turns" | "usage"> & { readonly info: { readonly title?: string | undefined } },
>(store: { readonly state: State; subscribe: ShownSession["subscribe"] }, read: Reading<State>): ShownSession {
  return {
    get turns() {
      return store.state.turns;
    },
    get timeline() {
      return read.timeline(store.state);
    },
    get isBusy() {
      return read.isBusy(store.state);
    },
    get plan() {
      return read.plan(store.state);
    },
    get commands() {
      return read.commands(store.state);
    },
    get options() {
      return read.options(store.state);
    },
    get usage() {
      return store.state.usage;
    },
    get title() {
      return store.state.info.title;
    },
    call: (toolCallId) => read.call(store.state, toolCallId),
    subscribe: (listener) => store.subscribe(listener),
  };
}

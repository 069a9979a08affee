import type { Choice } from "./shown.ts";

interface Value {
  readonly value: string;
  readonly name: string;
  readonly description?: string | null;
}

type Entry = Value | { readonly name: string; readonly options: readonly Value[] };

/** The values of an option of either version, which may stand in groups. */
export function toChoices(entries: readonly Entry[]): Choice[] {
  return entries.flatMap((entry) =>
    "options" in entry ? entry.options.map((value) => toChoice(value, entry.name)) : [toChoice(entry, undefined)],
  );
}

function toChoice({ value, name, description }: Value, group: string | undefined): Choice {
  return { value, name, description: description ?? undefined, group };
}

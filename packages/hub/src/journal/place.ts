import type { Cursor } from "./cursor.ts";

/** The beginning of the text of each entry, as `encodeEntry` writes it. */
const beginning = /^\{"n":(\d{1,15}),"epoch":(\d{1,15})[,}]/u;

/** Where an entry stands, by its text. Journals read no more of it. */
export function placeOf(text: string): Cursor {
  const place = findPlace(text);
  if (place === undefined) throw new TypeError(`An entry begins with its number and epoch: ${text.slice(0, 60)}`);
  return place;
}

/** The same, but `undefined` for what is no entry. */
export function findPlace(text: string): Cursor | undefined {
  const match = beginning.exec(text);
  return match === null ? undefined : { epoch: Number(match[2]), n: Number(match[1]) };
}

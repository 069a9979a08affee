import type { Cursor } from "./cursor.ts";

/** The beginning of the text of each entry, as `encodeEntry` writes it. */
const beginning = /^\{"n":(\d{1,15}),"epoch":(\d{1,15})[,}]/u;

/** Where an entry stands, by its text. Journals read no more of it. */
export function placeOf(text: string): Cursor {
  const match = beginning.exec(text);
  if (match === null) throw new TypeError(`An entry begins with its number and epoch: ${text.slice(0, 60)}`);
  return { epoch: Number(match[2]), n: Number(match[1]) };
}

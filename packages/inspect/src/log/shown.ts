/** How much of a message a line shows, in UTF-16 code units. */
const shownLength = 160;

/** Characters that a terminal obeys, or that change the order of other characters. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Writes a value as JSON on one line; cut off unless `isFull`. Escapes what a terminal would obey. */
export function shownJson(value: unknown, isFull: boolean): string {
  try {
    return clipped(printable(JSON.stringify(value) ?? ""), isFull);
  } catch {
    // 10,000 levels are too many for the stack.
    return "[nested too deep]";
  }
}

/** Writes a text of the other side as part of a line: a name, an id, a line of stderr. */
export function shownText(text: string, isFull: boolean): string {
  return clipped(printable(JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')), isFull);
}

/** Writes out what a terminal or a page would obey, or what changes the order of characters: `\\u202e`. */
export function printable(json: string): string {
  return json.replace(unprintable, (character) =>
    Array.from({ length: character.length }, (_, at) => escaped(character.charCodeAt(at))).join(""),
  );
}

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}

function clipped(text: string, isFull: boolean): string {
  if (isFull || text.length <= shownLength) return text;
  // Never half a character.
  const end = /[\ud800-\udbff]$/u.test(text.slice(0, shownLength)) ? shownLength - 1 : shownLength;
  return `${text.slice(0, end)}… (${text.length} characters)`;
}

/** Writes a duration for people; a recording need not have times. */
export function shownDuration(milliseconds: number): string {
  if (Number.isNaN(milliseconds)) return "some time";
  return milliseconds < 1_000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1_000).toFixed(1)} s`;
}

/** Writes the local time of day with milliseconds: `14:03:05.123`. */
export function shownTime(time: Date): string {
  if (Number.isNaN(time.getTime())) return "--:--:--.---";
  const [hours, minutes, seconds] = [time.getHours(), time.getMinutes(), time.getSeconds()].map((part) =>
    String(part).padStart(2, "0"),
  );
  return `${hours}:${minutes}:${seconds}.${String(time.getMilliseconds()).padStart(3, "0")}`;
}

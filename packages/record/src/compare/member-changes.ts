/** A member that differs. */
export interface MemberChange {
  /** Where: a JSON pointer; empty for all of it. */
  readonly path: string;
  /** As JSON, cut off if it is long; `undefined` where there is none. */
  readonly left: string | undefined;
  readonly right: string | undefined;
}

/** How many changes of one message are told. */
const most = 50;
/** How long a value is at most, in UTF-16 code units. */
const longest = 400;
/** How much of it comes before the place where it differs. */
const before = 60;
const deepest = 50;

/** The members in which two values differ. */
export function memberChanges(left: unknown, right: unknown): MemberChange[] {
  const changes: MemberChange[] = [];
  compare(left, right, "", 0, changes);
  return changes;
}

function compare(left: unknown, right: unknown, path: string, depth: number, changes: MemberChange[]): void {
  if (changes.length >= most || Object.is(left, right)) return;
  if (isObject(left) && isObject(right) && Array.isArray(left) === Array.isArray(right) && depth < deepest) {
    const names = new Set([...Object.keys(left), ...Object.keys(right)]);
    for (const name of names) {
      const at = `${path}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      compare(left[name], right[name], at, depth + 1, changes);
    }
    return;
  }
  const [one, other] = [JSON.stringify(left), JSON.stringify(right)];
  if (one === other) return;
  const start = Math.max(0, commonLength(one ?? "", other ?? "") - before);
  changes.push({ path, left: shortened(one, start), right: shortened(other, start) });
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/** How much of the beginning is the same. */
function commonLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}

/** A long value from a little before the place where it differs. */
function shortened(json: string | undefined, start: number): string | undefined {
  if (json === undefined || json.length <= longest) return json;
  const end = start + longest;
  return `${start === 0 ? "" : "…"}${json.slice(start, end)}${end < json.length ? "…" : ""}`;
}

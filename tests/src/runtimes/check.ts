import { hangs } from "../support/hangs.ts";

/** Fails unless both have the same JSON. */
export function expectEqual(actual: unknown, expected: unknown, what = "value"): void {
  const [got, wanted] = [stable(actual), stable(expected)];
  if (got !== wanted) throw new Error(`${what}: expected ${wanted}, got ${got}`);
}

/** Fails unless it is true. */
export function expectTrue(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(`Not so: ${what}`);
}

/** Fails unless `text` contains `part`. */
export function expectContains(text: string, part: string): void {
  if (!text.includes(part))
    throw new Error(`Expected ${JSON.stringify(part)} in ${JSON.stringify(text.slice(0, 4_000))}`);
}

/** What a promise rejects with; fails if it does not. */
export async function rejectionOf(promise: Promise<unknown>): Promise<Error & Readonly<Record<string, unknown>>> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof Error) return Object.assign(error);
    throw new Error(`Rejected with something that is no error: ${String(error)}`, { cause: error });
  }
  throw new Error("Did not reject");
}

/** Waits until a condition holds. */
export async function eventually(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const deadline = Date.now() + hangs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`Did not come: ${what}`);
    // Polling is one step after another.
    await sleep(10);
  }
}

export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function stable(value: unknown): string {
  return (
    JSON.stringify(value, (_, member: unknown) => {
      if (typeof member !== "object" || member === null || Array.isArray(member)) return member;
      return Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)));
    }) ?? "undefined"
  );
}

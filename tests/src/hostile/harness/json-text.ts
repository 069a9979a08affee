/** A number, digit by digit: `JSON.parse` would round ids above 2^53. */
interface ExactNumber {
  readonly digits: string;
}

type Reviver = (key: string, value: unknown, context?: { readonly source?: string }) => unknown;

/** Parses JSON with numbers kept as they are written. */
function parseExactly(text: string): unknown {
  const revive: Reviver = (_key, value, context) =>
    typeof value === "number" ? ({ digits: context?.source ?? String(value) } satisfies ExactNumber) : value;
  return JSON.parse(text, revive);
}

/** Whether a received text says what an expected one does, where `"<any>"` fits any value, and at the end of a text whatever follows. */
export function fitsText(expected: string, received: string): boolean {
  try {
    return fits(parseExactly(expected), parseExactly(received));
  } catch {
    return false;
  }
}

function fits(expected: unknown, received: unknown): boolean {
  if (expected === "<any>") return received !== undefined;
  if (typeof expected === "string" && expected.endsWith("<any>")) {
    return typeof received === "string" && received.startsWith(expected.slice(0, -"<any>".length));
  }
  if (typeof expected !== "object" || expected === null) return expected === received;
  if (typeof received !== "object" || received === null || Array.isArray(expected) !== Array.isArray(received)) {
    return false;
  }
  const keys = Object.keys(expected);
  return (
    keys.length === Object.keys(received).length &&
    keys.every((key) => Object.hasOwn(received, key) && fits(Reflect.get(expected, key), Reflect.get(received, key)))
  );
}

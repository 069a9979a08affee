/** Something that takes bytes from outside, with what must hold for any bytes. */
export interface Target {
  readonly name: string;
  /** Whose code it is, as part of a path: what coverage is counted in. */
  readonly covers: readonly string[];
  /** Inputs to begin with, beside the corpus. Each character is one byte. */
  readonly seeds: readonly string[];
  /** Throws, or rejects, if something does not hold. */
  readonly check: (input: Uint8Array) => void | Promise<void>;
}

/** Fails, with both values. */
export function expectSame(actual: unknown, expected: unknown, what: string): void {
  const [left, right] = [actual, expected].map((value) => JSON.stringify(value));
  if (left !== right) throw new Error(`${what}: ${left?.slice(0, 2_000)} is not ${right?.slice(0, 2_000)}`);
}

export function expectTrue(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(what);
}

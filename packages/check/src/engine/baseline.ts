/** Failures that are known, and do not fail a run. */
export interface Baseline {
  /** The set of checks that it was made with. */
  readonly set?: string | undefined;
  readonly known: readonly KnownFailure[];
}

/** A failure that is known. */
export interface KnownFailure {
  /** The id of the check. */
  readonly id: string;
  /** Why it is accepted. */
  readonly why?: string | undefined;
  /** The address of an issue about it. */
  readonly issue?: string | undefined;
  /** The last day, such as `2027-03-01`, on which it is accepted. */
  readonly until?: string | undefined;
}

/** A baseline cannot be read. */
export class BaselineError extends Error {
  override readonly name = "BaselineError";
}

/**
 * Reads a baseline.
 *
 * @throws {BaselineError} if it is none.
 */
export function parseBaseline(text: string): Baseline {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new BaselineError(`It is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const known = isObject(value) ? value["known"] : undefined;
  if (!isObject(value) || !Array.isArray(known)) throw new BaselineError('It needs a member "known": a list');
  const set = value["set"];
  return { ...(typeof set === "string" ? { set } : {}), known: known.map(readKnown) };
}

function readKnown(entry: unknown, index: number): KnownFailure {
  const id = isObject(entry) ? entry["id"] : undefined;
  if (!isObject(entry) || typeof id !== "string")
    throw new BaselineError(`The entry ${index + 1} of "known" needs an "id": the id of a check`);
  const texts = ["why", "issue", "until"].flatMap((name) => {
    const text = entry[name];
    if (text === undefined) return [];
    if (typeof text !== "string") throw new BaselineError(`"${name}" of ${id} is no text`);
    return [[name, text] as const];
  });
  const { until, ...more }: { until?: string; why?: string; issue?: string } = Object.fromEntries(texts);
  if (until !== undefined && !/^\d{4}-\d{2}-\d{2}$/u.test(until))
    throw new BaselineError(`"until" of ${id} is no day such as 2027-03-01`);
  return { id, ...more, ...(until === undefined ? {} : { until }) };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

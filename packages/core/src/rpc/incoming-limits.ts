import { UsageError } from "../base/errors.ts";

/** How many requests a peer may have pending. */
export interface IncomingLimits {
  /**
   * The maximum number of pending requests of the peer. A request beyond that fails at once with `-32005`; the others
   * continue. Default: 10,000. `Infinity` for no limit.
   */
  readonly maxIncomingRequests?: number | undefined;
  /**
   * The maximum total size of the pending requests, in UTF-16 code units of their JSON. A single larger request is
   * accepted if no other is pending. Default: 256 Mi (268,435,456). `Infinity` for no limit.
   */
  readonly maxIncomingSize?: number | undefined;
}

/** A limit, and the option that sets it. */
type Limit = readonly [option: keyof IncomingLimits, limit: number];

/** The limits of a connection: how many requests, and how large. */
export type CheckedIncomingLimits = readonly [count: Limit, size: Limit];

/**
 * Fills in missing options.
 *
 * @throws {UsageError} for a limit that is neither a whole number from 1 on nor `Infinity`.
 */
export function incomingLimits(options: IncomingLimits): CheckedIncomingLimits {
  const check = (name: keyof IncomingLimits, usual: number): Limit => [name, checkCount(name, options[name] ?? usual)];
  return [check("maxIncomingRequests", 10_000), check("maxIncomingSize", 2 ** 28)];
}

/**
 * Checks a limit that counts something; `Infinity` means no limit.
 *
 * @throws {UsageError} if it is not a whole number, or less than 1.
 */
export function checkCount(name: string, limit: number): number {
  if (limit === Infinity || (Number.isInteger(limit) && limit > 0)) return limit;
  throw new UsageError(`${name} is ${String(limit)}; expected a whole number from 1 on, or Infinity`);
}

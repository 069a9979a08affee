import { UsageError } from "../base/errors.ts";

/** How much a peer may ask at a time. */
export interface IncomingLimits {
  /**
   * How many requests of the peer may have no answer yet; `Infinity` for no limit. A request above that is answered `-32005`
   * at once, and the rest goes on. Default: 10,000.
   */
  readonly maxIncomingRequests?: number | undefined;
  /**
   * How large they may be together, in UTF-16 code units of their JSON; `Infinity` for no limit. A request that is larger
   * by itself is accepted while no other one waits. Default: 256 Mi (268,435,456).
   */
  readonly maxIncomingSize?: number | undefined;
}

/** A limit, and the option that sets it. */
type Limit = readonly [option: keyof IncomingLimits, limit: number];

/** The limits of a connection: how many requests, and how large. */
export type CheckedIncomingLimits = readonly [count: Limit, size: Limit];

/**
 * Fills in what options leave out.
 *
 * @throws {UsageError} for a limit that is neither a whole number from 1 on nor `Infinity`.
 */
export function incomingLimits(options: IncomingLimits): CheckedIncomingLimits {
  const check = (name: keyof IncomingLimits, usual: number): Limit => [name, checkCount(name, options[name] ?? usual)];
  return [check("maxIncomingRequests", 10_000), check("maxIncomingSize", 2 ** 28)];
}

/**
 * Checks a limit that counts something; `Infinity` is none.
 *
 * @throws {UsageError} for what is no whole number, or less than 1.
 */
export function checkCount(name: string, limit: number): number {
  if (limit === Infinity || (Number.isInteger(limit) && limit > 0)) return limit;
  throw new UsageError(`${name} is ${limit}; expected a whole number from 1 on, or Infinity`);
}

import { UsageError } from "@acp/core";

/** The limits of a session. What goes over one is refused with an error that names it, and everything else continues. */
export interface SessionLimits {
  /** Prompts that wait for the running turn. Default: 20. */
  readonly prompts?: number | undefined;
  /** The size of a prompt, in UTF-16 code units of its JSON. Default: 1 Mi (1,048,576). */
  readonly promptUnits?: number | undefined;
  /** Questions of the agent that wait for an answer. Default: 100. */
  readonly questions?: number | undefined;
  /**
   * How much may wait for a journal that is slow or cannot be written, in UTF-16 code units. Beyond it, no more is read of the
   * agent. All sessions of a machine together may have as much as this times `limits.sessions`. Default: 16 Mi (16,777,216).
   */
  readonly outboxUnits?: number | undefined;
  /** How long updates wait for others, to be stored together with them, in milliseconds. Default: 30. */
  readonly mergeTime?: number | undefined;
  /**
   * How long a session may be idle, in milliseconds, before its agent is ended: nobody attached, no turn, no question. The
   * next prompt resumes it. `Infinity` for ever. Default: 1,800,000, which is 30 minutes.
   */
  readonly idleTime?: number | undefined;
  /**
   * After how many entries the turns that have ended are compacted: what shows the same to a client that comes later remains.
   * Default: 2,000.
   */
  readonly compactAfter?: number | undefined;
  /**
   * How much is kept of a session, in UTF-16 code units of its entries. Beyond it, the oldest turns are removed, and a notice says
   * so. The last turn stays. `Infinity` keeps everything. Default: 64 Mi (67,108,864).
   */
  readonly historyUnits?: number | undefined;
  /** How long a claim lasts that is not renewed, in milliseconds. Default: 15,000. */
  readonly lease?: number | undefined;
}

/** The limits, each with its default. */
export type CheckedLimits = { readonly [Name in keyof SessionLimits]-?: number };

const mebi = 1024 * 1024;

const defaults: CheckedLimits = {
  prompts: 20,
  promptUnits: mebi,
  questions: 100,
  outboxUnits: 16 * mebi,
  mergeTime: 30,
  idleTime: 1_800_000,
  compactAfter: 2000,
  historyUnits: 64 * mebi,
  lease: 15_000,
};

/** @throws {UsageError} for what is no number from 0 on. */
export function checkLimits(limits?: SessionLimits): CheckedLimits {
  return checkNumbers(limits, defaults);
}

/** Limits with their defaults. Throws a `UsageError` for what is no number from 0 on. */
export function checkNumbers<Name extends string>(
  limits: { readonly [Each in NoInfer<Name>]?: number | undefined } = {},
  standard: { readonly [Each in Name]: number },
): { readonly [Each in Name]: number } {
  const checked: { [Each in Name]: number } = { ...standard };
  for (const name of Object.keys(standard) as Name[]) {
    const limit: unknown = limits[name] ?? standard[name];
    if (!(typeof limit === "number" && limit >= 0))
      throw new UsageError(`limits.${name} is ${String(limit)}; expected a number from 0 on`);
    checked[name] = limit;
  }
  return checked;
}

import type { ExtensionRequest } from "../../extensions.ts";
import type { WireError } from "../../journal/entry.ts";
import type { KeeperStart } from "../keepers.ts";
import { type CheckedLimits, checkLimits, type SessionLimits } from "../limits.ts";

/** Limits, in which `null` stands for `Infinity`. */
type LimitsAsJson = { readonly [Name in keyof CheckedLimits]: number | null };

/** @throws {UsageError} for an invalid limit. */
export function limitsToJson(limits: SessionLimits | undefined): LimitsAsJson {
  return JSON.parse(JSON.stringify(checkLimits(limits))) as LimitsAsJson;
}

export function limitsFromJson(limits: LimitsAsJson): CheckedLimits {
  const entries = Object.entries(limits).map(([name, limit]) => [name, limit ?? Infinity]);
  return checkLimits(Object.fromEntries(entries) as SessionLimits);
}

/** The line that a keeper's process gets on its stdin. */
export interface KeeperOrder {
  readonly start: KeeperStart;
  /** Where it listens for its front. */
  readonly socket: string;
  readonly limits: LimitsAsJson;
  /** What the option `more` of the front's side says: how to open the journal, for example. */
  readonly more: unknown;
}

/** The line that it writes to its stdout once it listens, or will not. */
export type KeeperReport =
  | { readonly type: "up" }
  | { readonly type: "held" }
  | { readonly type: "failed"; readonly message: string };

/** What a front tells a keeper. */
export type ToKeeper =
  | { readonly type: "wake" }
  | { readonly type: "attached"; readonly count: number }
  /** The answer to a request. */
  | { readonly type: "answer"; readonly id: number; readonly result?: unknown; readonly error?: WireError | undefined }
  | { readonly type: "close" };

/** What a keeper tells its fronts. */
export type FromKeeper =
  | { readonly type: "stored" }
  /** The agent has a request for a client. */
  | { readonly type: "request"; readonly id: number; readonly request: ExtensionRequest }
  /** It is withdrawn. */
  | { readonly type: "withdraw"; readonly id: number };

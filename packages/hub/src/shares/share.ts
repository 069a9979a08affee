import { isObject } from "@acp/core/internal";

import type { SessionDescription } from "../journal/journal.ts";
import type { Act } from "../rights.ts";

/** What the holder of a share may do: only look; answer the agent's questions as well; prompt and cancel, too. */
export type ShareLevel = "watch" | "answer" | "control";

/** The right of whoever has its token to use one session. */
export interface Share {
  readonly id: string;
  readonly may: ShareLevel;
  readonly createdAt: Date;
  readonly expires: Date;
  /** How others see its holder. */
  readonly name: string;
}

/** A share as it is stored in the description of its session. Times are milliseconds since 1970. */
export interface StoredShare {
  readonly id: string;
  readonly hash: string;
  readonly may: ShareLevel;
  readonly createdAt: number;
  readonly expires: number;
  readonly name: string;
}

const acts: { readonly [Level in ShareLevel]: readonly Act[] } = {
  watch: ["watch"],
  answer: ["watch", "answer"],
  control: ["watch", "answer", "prompt"],
};

export function isShareLevel(level: unknown): level is ShareLevel {
  return typeof level === "string" && Object.hasOwn(acts, level);
}

/** What the holder of a share may do with its session. */
export function actsOf(level: ShareLevel): readonly Act[] {
  return acts[level];
}

/** The name of the fact of a session that a share is. Each is its own, so that hubs that make shares at once keep all of them. */
export function factOf(id: string): string {
  return `share:${id}`;
}

/** The shares of a session, in the order of their making. */
export function storedShares({ more = {} }: SessionDescription): readonly StoredShare[] {
  const stored = Object.entries(more).flatMap(([name, fact]) =>
    isStoredShare(fact) && name === factOf(fact.id) ? [fact] : [],
  );
  return stored.toSorted((one, other) => one.createdAt - other.createdAt);
}

function isStoredShare(value: unknown): value is StoredShare {
  return (
    isObject(value) &&
    typeof value["id"] === "string" &&
    typeof value["hash"] === "string" &&
    isShareLevel(value["may"]) &&
    typeof value["createdAt"] === "number" &&
    typeof value["expires"] === "number" &&
    typeof value["name"] === "string"
  );
}

export function toShare({ id, may, createdAt, expires, name }: StoredShare): Share {
  return { id, may, createdAt: new Date(createdAt), expires: new Date(expires), name };
}

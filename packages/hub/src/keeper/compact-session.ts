import { randomId, requireObject } from "@acp/core/internal";

import { compactionEnd, compactTexts } from "../journal/compact.ts";
import { decodeEntry } from "../journal/entry.ts";
import type { Claim, Held, Journal } from "../journal/journal.ts";
import { placeOf } from "../journal/place.ts";
import { removeOldest } from "../journal/remove-oldest.ts";

/** How many entries a session had, and how many show the same now. */
export interface Compaction {
  readonly before: number;
  readonly after: number;
}

/** Reading entries, this many UTF-16 code units at a time. */
const pageUnits = 4 * 1024 * 1024;

/** Which part of what may be kept is left for new entries, and is freed when the oldest turns are removed. */
export const historyStep: number = 1 / 8;

/** How long nobody else may keep the session, in milliseconds. */
const lease = 60_000;

/**
 * Shortens the journal of a session that nobody keeps: of turns that have ended, and are not the last, what shows the same
 * remains. Keepers do that by themselves from time to time.
 *
 * @returns `heldBy` if a keeper has the session, and `undefined` if there is no such session.
 * @throws {UsageError} without a journal.
 * @throws if somebody takes the session over meanwhile.
 */
export async function compactSession(journal: Journal, session: string): Promise<Compaction | Held | undefined> {
  requireObject(journal, "compactSession() takes a journal and the id of a session", "claim");
  const claim = await journal.claim(session, `compaction-${randomId()}`, lease);
  if (claim === undefined || "heldBy" in claim) return claim;
  try {
    return await compactEntries(journal, claim);
  } finally {
    await journal.release(claim);
  }
}

/** The same for who keeps the session. The oldest turns are removed when that is more than so many UTF-16 code units. */
export async function compactEntries(
  journal: Journal,
  claim: Claim,
  historyUnits: number = Infinity,
): Promise<Compaction> {
  const texts = await readAll(journal, claim.session);
  const { length } = texts;
  const end = compactionEnd(texts.map(decodeEntry).filter((entry) => entry !== undefined));
  if (end === 0) return { before: length, after: length };
  const recent = texts.filter((text) => placeOf(text).n > end);
  const old = texts.slice(0, length - recent.length);
  // Behind the entries: who sends one anew that is gone by now is answered anew.
  const waiting = new Set((await journal.commands(claim, 0)).map(({ key }) => key));
  const compacted = shorten(compactTexts(old, waiting), { recent: lengthOf(recent), historyUnits, waiting });
  if ((await journal.compact(claim, end, compacted)) === "fenced")
    throw new Error("Another keeper has taken the session over: nothing was compacted");
  return { before: length, after: length - old.length + compacted.length };
}

interface Room {
  /** How much there is besides. */
  readonly recent: number;
  readonly historyUnits: number;
  readonly waiting: ReadonlySet<string>;
}

/** Removes the oldest of a compacted history, if there is too much of it. */
function shorten(compacted: readonly string[], { recent, historyUnits, waiting }: Room): readonly string[] {
  if (lengthOf(compacted) + recent <= (1 - historyStep) * historyUnits) return compacted;
  return removeOldest(compacted, (1 - 2 * historyStep) * historyUnits - recent, waiting);
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0);
}

async function readAll(journal: Journal, session: string): Promise<readonly string[]> {
  const texts: string[] = [];
  let after: Parameters<Journal["read"]>[1] = "start";
  for (let more = true; more;) {
    const page = await journal.read(session, after, pageUnits);
    if (page === undefined || page === "gone") return [];
    texts.push(...page.entries);
    after = page.cursor ?? after;
    more = page.more;
  }
  return texts;
}

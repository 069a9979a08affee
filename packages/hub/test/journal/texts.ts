import type { Cursor } from "../../src/journal/cursor.ts";
import { encodeEntry, type Entry } from "../../src/journal/entry.ts";
import type { Claim, Journal, Page } from "../../src/journal/journal.ts";

/** The text of an entry that says something. */
export function entryText(n: number, epoch: number, text = `entry ${n}`): string {
  return encodeEntry({ n, epoch, at: 0, t: "notice", text });
}

/** The texts of so many entries of a claim, from a number on. */
export function textsOf(claim: Claim, from: number, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => entryText(from + index, claim.epoch));
}

/** Claims a session that nobody has. */
export async function claimed(
  journal: Journal,
  session: string,
  { keeper = "keeper", lease = 60_000 }: { readonly keeper?: string; readonly lease?: number } = {},
): Promise<Claim> {
  const claim = await journal.claim(session, keeper, lease);
  if (claim === undefined || "heldBy" in claim) throw new Error(`not claimed: ${JSON.stringify(claim)}`);
  return claim;
}

/** Appends so many entries, each in a call of its own. */
export async function appendAll(
  journal: Journal,
  claim: Claim,
  count: number,
  from: number = claim.next,
): Promise<void> {
  for (let n = from; n < from + count; n++) {
    await journal.append([{ claim, from: n, entries: [entryText(n, claim.epoch)] }]);
  }
}

/** Reads a page that is there. */
export async function pageOf(journal: Journal, session: string, after: Cursor | "start", limit: number): Promise<Page> {
  const page = await journal.read(session, after, limit);
  if (page === undefined || page === "gone") throw new Error(`no page: ${page}`);
  return page;
}

/** The numbers of all entries, read in pages of a size. */
export async function numbersOf(journal: Journal, session: string, limit = 1_000_000): Promise<readonly number[]> {
  const found: number[] = [];
  for (let page = await pageOf(journal, session, "start", limit); ;) {
    found.push(...page.entries.map((text) => (JSON.parse(text) as Entry).n));
    if (!page.more || page.cursor === undefined) return found;
    page = await pageOf(journal, session, page.cursor, limit);
  }
}

/** All numbers from one to another. */
export function numbers(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

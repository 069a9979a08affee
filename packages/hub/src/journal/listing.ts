import type { SessionDescription, SessionFilter } from "./journal.ts";

/** How many sessions a page of a list has. */
export const pageSize = 100;

/** What decides where a session stands in a list. */
export interface ListedAt {
  /** Its id, or another name that no other session has. */
  readonly session: string;
  /** In milliseconds since 1970. */
  readonly updatedAt: number;
}

/** The latest first; of two of the same time, by their ids. */
export function compareListed(a: ListedAt, b: ListedAt): number {
  return b.updatedAt - a.updatedAt || (a.session < b.session ? -1 : Number(a.session > b.session));
}

/** The text of a page that begins behind a session. */
export function formatPage({ session, updatedAt }: ListedAt): string {
  return `${updatedAt}:${session}`;
}

/** Reads the text of a page. Throws if it is none. */
export function parsePage(page: string): ListedAt {
  const match = /^(\d{1,15}):(.+)$/su.exec(page);
  const [, updatedAt, session] = match ?? [];
  if (session === undefined) throw new TypeError(`No list of sessions has a page ${JSON.stringify(page.slice(0, 60))}`);
  return { session, updatedAt: Number(updatedAt) };
}

/** Whether a list with this filter shows a session. */
export function isListed(description: SessionDescription, { agent, cwd, owner }: SessionFilter): boolean {
  if (agent !== undefined && agent !== description.agent) return false;
  if (cwd !== undefined && cwd !== description.cwd) return false;
  return owner === undefined || owner === description.owner;
}

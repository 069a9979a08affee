import type { Side } from "@acp/check/requirements";

/** What the name of a test claims about a rule. */
export interface Claim {
  readonly id: string;
  /** The sides whose conduct it looks at; `undefined` if the name does not say. */
  readonly sides: readonly Side[] | undefined;
}

const everySide: readonly Side[] = ["agent", "client"];

/** An id, with a side behind it if need be: `RPC-04`, `RPC-04/agent`, `RPC-04/both`. */
const marked = /\b(?<id>(?!UTF-)[A-Z]{2,6}-\d{2})\b(?:\/(?<mark>agent|client|both)\b)?/gu;

/** A side as groups name it: `an agent`, `a client that is asked`, `toolkit client and official agent`. */
const named = /\b(?<whose>an?|toolkit|reference|official) (?<side>agent|client)\b/gu;

/**
 * What a test claims. The sides of a claim are those that stand behind its id, within those that the groups around the
 * test name; where nothing stands behind the id, those of the groups. The official SDK is not ours, so what it does
 * proves nothing.
 *
 * @param name With that of each group before it, and ` > ` between them.
 */
export function claimsIn(name: string): readonly Claim[] {
  const groups = name.split(" > ").slice(0, -1);
  const around = groups.map(sidesNamedBy).findLast((sides) => sides !== undefined);
  return [...name.matchAll(marked)].map(({ groups: { id = "", mark } = {} }) => {
    const said = everySide.filter((side) => mark === "both" || mark === side);
    return { id, sides: mark === undefined ? around : said.filter((side) => around?.includes(side) ?? true) };
  });
}

/** The ids of rules in a text. An encoding such as `UTF-16` has the form of one. */
export function idsIn(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(marked)].map(({ groups: { id = "" } = {} }) => id));
}

function sidesNamedBy(group: string): readonly Side[] | undefined {
  const found = [...group.matchAll(named)].map(({ groups }) => groups);
  if (found.length === 0) return undefined;
  const ours = everySide.filter((side) => found.some((one) => one?.["side"] === side && one["whose"] !== "official"));
  // A test of both in one may be about either of them: it has to say so.
  return ours.length === everySide.length ? undefined : ours;
}

import { requireArgument } from "@acp/core/internal";

import type { RecordedMessage } from "../record-transport.ts";
import { align, type Keyed, type Pair } from "./align.ts";
import { type Row, rowsOf } from "./compared-row.ts";
import { type MemberChange, memberChanges } from "./member-changes.ts";

/** Options of {@link compareRecordings}. */
export interface CompareOptions {
  /** Compares what this side said; a recording without `initialize` has the agent's messages alone. Default: both sides. */
  readonly side?: "agent" | "client" | undefined;
  /** Compares the kinds of messages, not what they say. Default: `false` */
  readonly onlyKinds?: boolean | undefined;
}

/** What {@link compareRecordings} returns. */
export interface RecordingComparison {
  /** All messages of both recordings, in order. Chunks of one text are one row. */
  readonly rows: readonly ComparedRow[];
  /** How many rows are not the same. A changed one counts for both recordings. */
  readonly differences: number;
}

/** A message that is in both recordings, or in one. */
export interface ComparedRow {
  readonly status: "same" | "changed" | "left" | "right";
  readonly from: "agent" | "client";
  /** The number of the session in its recording, from 1; 0 for none. */
  readonly session: number;
  /** The number of the turn in the session, from 1; 0 for none. */
  readonly turn: number;
  /** The method and the kind of the update, or of which request it is the answer. */
  readonly kind: string;
  readonly left: ComparedMessage | undefined;
  readonly right: ComparedMessage | undefined;
  /** What differs; the first 50. */
  readonly changes: readonly MemberChange[];
  /** For an answer in both recordings: how many times as long as in the left one it took in the right one. */
  readonly ratio: number | undefined;
}

/** One side of a {@link ComparedRow}. */
export interface ComparedMessage {
  /** The place of the first message in its recording. */
  readonly index: number;
  /** How many messages it is: the chunks of a text are one row. */
  readonly count: number;
  /** What it says as JSON, without ids and times. */
  readonly text: string;
  /** For an answer: how long it took, in milliseconds. */
  readonly took: number | undefined;
}

/** A quicker answer says nothing: the clock counts milliseconds. */
const shortest = 5;

/**
 * Compares two recordings: messages belong together that have the same session, turn, method, kind and title, in this order.
 * Ids, times and the borders of chunks are no difference.
 */
export function compareRecordings(
  left: readonly RecordedMessage[],
  right: readonly RecordedMessage[],
  { side, onlyKinds = false }: CompareOptions = {},
): RecordingComparison {
  requireArgument(Array.isArray(left), "compareRecordings() takes two recordings, lists of entries", left);
  requireArgument(Array.isArray(right), "compareRecordings() takes two recordings, lists of entries", right);
  const [lefts, rights] = [rowsOf(left, side), rowsOf(right, side)];
  const pairs: Pair[] = [];
  // Sessions go on side by side, in another order each time.
  for (const session of new Set([...lefts, ...rights].map((row) => row.session))) {
    const aligned = align(keyed(lefts, session, onlyKinds), keyed(rights, session, onlyKinds));
    for (const pair of aligned) pairs.push(pair);
  }
  const rows = inOrder(pairs).map(([one, other]) => comparedRow(lefts[one ?? -1], rights[other ?? -1], onlyKinds));
  const weights = { same: 0, changed: 2, left: 1, right: 1 };
  return { rows, differences: rows.reduce((sum, { status }) => sum + weights[status], 0) };
}

function keyed(rows: readonly Row[], session: number, onlyKinds: boolean): Keyed[] {
  return rows.flatMap((row, place) => (row.session === session ? [{ place, keys: keysOf(row, onlyKinds) }] : []));
}

/** Pairs in the order of the left recording; what only the right one has stands behind what is before it there. */
function inOrder(pairs: readonly Pair[]): Pair[] {
  const places = new Map<Pair, number>();
  let last = -1;
  for (const pair of pairs.toSorted(([, one], [, other]) => (one ?? 0) - (other ?? 0))) {
    const [left, right] = pair;
    if (right !== undefined && left !== undefined) last = Math.max(last, left);
    places.set(pair, left ?? last + 0.5);
  }
  return pairs.toSorted((one, other) => (places.get(one) ?? 0) - (places.get(other) ?? 0));
}

/** What decides where a row belongs, the strongest first. */
function keysOf({ from, session, turn, kind, title, body }: Row, onlyKinds: boolean): string[] {
  const weak = JSON.stringify([from, session, turn, kind]);
  if (onlyKinds) return [weak];
  return [JSON.stringify([weak, body]), JSON.stringify([weak, title]), weak];
}

function comparedRow(left: Row | undefined, right: Row | undefined, onlyKinds: boolean): ComparedRow {
  const { from, session, turn, kind } = left ?? right ?? { from: "agent", session: 0, turn: 0, kind: "" };
  const isBoth = left !== undefined && right !== undefined;
  const changes = isBoth && !onlyKinds ? memberChanges(left.body, right.body) : [];
  const status = isBoth ? (changes.length === 0 ? "same" : "changed") : left === undefined ? "right" : "left";
  const [before = 0, after = 0] = [left?.took, right?.took];
  const ratio = Math.max(before, after) < shortest ? undefined : Math.max(1, after) / Math.max(1, before);
  return {
    status,
    from,
    session,
    turn,
    kind,
    left: left && messageOf(left),
    right: right && messageOf(right),
    changes,
    ratio: left?.took === undefined || right?.took === undefined ? undefined : ratio,
  };
}

function messageOf({ index, count, body, took }: Row): ComparedMessage {
  return { index, count, text: JSON.stringify(body) ?? "null", took };
}

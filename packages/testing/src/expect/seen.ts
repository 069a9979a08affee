import { type RecordedCall, recordTurn, type TurnEvent, type TurnRecord } from "../client/turn-record.ts";
import { UsageError } from "@acp/core";
import { isObject } from "@acp/core/internal";

import { inWords, isThenable } from "../script/check-step.ts";
import { at, textAt } from "../peer/message.ts";

/** What can be looked at: what a client returned, or the turn of a scripted client. */
export type TurnLike =
  /** What a program showed. */
  | string
  | readonly string[]
  /** A turn of `session.prompt()`: its updates are read to the end. */
  | {
      readonly updates: AsyncIterable<unknown> | Iterable<unknown>;
      readonly response?: PromiseLike<unknown>;
      readonly prompt?: never;
    }
  /** A turn of a scripted client. */
  | TurnRecord
  | { readonly text: string };

/**
 * Requires what shows a turn, or a promise of it.
 *
 * @throws {UsageError} that says what to pass.
 */
export function requireTurn(value: unknown): void {
  if (typeof value === "string" || isThenable(value)) return;
  if (isObject(value)) {
    if (typeof value["prompt"] === "function")
      throw new UsageError("This is a session or a client, and no turn. Pass what its prompt() returns");
    if (Array.isArray(value) || "items" in value || "updates" in value || typeof value["text"] === "string") return;
    if ("stopReason" in value)
      throw new UsageError("This is the answer to a prompt, and no turn. Pass what session.prompt() returns");
  }
  throw new UsageError(`A turn is what session.prompt() returns, or text that was shown; this is ${inWords(value)}`);
}

/** Makes a record of whatever shows a turn. */
export async function seenOf(value: TurnLike): Promise<TurnRecord> {
  requireTurn(value);
  if (typeof value === "string") return shown(value);
  if (isList(value)) return shown(value.join(""));
  if ("items" in value) return value;
  if (!("updates" in value)) return shown(value.text);
  const events: TurnEvent[] = [];
  try {
    for await (const update of value.updates) events.push({ update });
  } catch {
    // The response says what has failed.
  }
  const outcome = await Promise.resolve(value.response).then(
    (response) => ({ stopReason: textAt(response, "stopReason") }),
    (error: unknown) => ({ error: { code: Number(at(error, "code") ?? 0), message: textAt(error, "message") ?? "" } }),
  );
  return recordTurn(events, outcome);
}

function shown(text: string): TurnRecord {
  return { text, thoughts: "", calls: [], questions: [], plan: [], items: [{ type: "message", text }] };
}

function isList(value: TurnLike): value is readonly string[] {
  return Array.isArray(value);
}

/** A turn in lines, for messages and snapshots. */
export function transcriptOf(turn: TurnRecord): string {
  const lines = turn.items.map((item) => {
    if (item.type === "call") return callLine(item.call);
    if (item.type === "question")
      return `? ${item.question.title}: ${item.question.chosen ?? "cancelled"} of ${item.question.options.map(({ optionId }) => optionId).join(", ")}`;
    return item.type === "thought" ? `(${item.text})` : item.text;
  });
  const plan = turn.plan.map(({ content, status }) => `- ${content} (${status})`);
  const end = turn.error === undefined ? turn.stopReason : `error ${turn.error.code}: ${turn.error.message}`;
  return [...lines, ...plan, ...(end === undefined ? [] : [`= ${end}`])].join("\n");
}

function callLine({ title, kind, status, output }: RecordedCall): string {
  return `* ${title} [${kind}] ${status}${output === "" ? "" : `: ${output}`}`;
}

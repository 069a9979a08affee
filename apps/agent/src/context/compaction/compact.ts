import { type AnyTurn, describeModelError, waitForRetry } from "@acp/ai";
import type { LanguageModel, LanguageModelUsage, ModelMessage } from "ai";

import { tokensOf } from "./context-size.ts";
import { dropOutputs } from "./drop-outputs.ts";
import { hiddenCompaction, showCompaction } from "./show-compaction.ts";
import { summarize } from "./summarize.ts";
import { toTranscript } from "./transcript.ts";

/** A conversation to shorten. Sizes are in tokens. */
export interface CompactionOptions {
  readonly turn: AnyTurn;
  /** Changed in place. */
  readonly messages: ModelMessage[];
  /** Writes the summary. */
  readonly model: LanguageModel;
  readonly contextSize: number;
  /** How much of the recent conversation stays as it is; with 0 nothing does. */
  readonly keep: number;
  /** What the user wants to keep in the summary. Default: whatever the model thinks is important. */
  readonly wish?: string | undefined;
  /** Whether the user is told. */
  readonly isShown: boolean;
  readonly onUsage: (usage: LanguageModelUsage) => void;
  readonly onModelError?: ((error: unknown) => void) | undefined;
}

/** What has become of a conversation: the older part is a summary now, outputs of tools were removed, or neither. */
export type CompactionResult = "summarized" | "shortened" | "unchanged";

/**
 * Makes room in the context of a model. The older part of the conversation is replaced by a summary that the model itself writes;
 * the recent part stays. If there is no summary, or still not enough room, the oldest outputs of tools go: they are the largest
 * part of most conversations, and the model can get them again.
 */
export async function compact(options: CompactionOptions): Promise<CompactionResult> {
  const { turn, messages, contextSize, keep } = options;
  const cut = findCut(messages, keep);
  const summary = isWorthIt(messages.slice(0, cut)) ? await summarizeShown(options, cut) : undefined;
  if (turn.signal.aborted) return "unchanged";
  if (summary !== undefined) messages.splice(0, cut, toMessage(summary));
  const hasDropped = tokensOf(messages) > contextSize / 2 && dropOutputs(messages, contextSize / 2);
  if (summary !== undefined) return "summarized";
  return hasDropped ? "shortened" : "unchanged";
}

/** A summary of a few words, or of the summary before, saves nothing. */
function isWorthIt(older: readonly ModelMessage[]): boolean {
  return older.some(({ role }) => role === "assistant");
}

async function summarizeShown(options: CompactionOptions, cut: number): Promise<string | undefined> {
  const { turn, messages, model, contextSize, wish = "", isShown, onUsage, onModelError } = options;
  const { signal } = turn;
  const shown = isShown ? await showCompaction(turn) : hiddenCompaction;
  // Half of the context, at four characters for a token.
  const transcript = toTranscript(messages.slice(0, cut), contextSize * 2);
  const request = { model, transcript, wish, signal, onUsage, onText: (text: string) => shown.chunk(text) };
  for (let attempt = 1; ; attempt++) {
    try {
      const summary = await summarize(request);
      await shown.complete(summary);
      return summary;
    } catch (error) {
      if (!signal.aborted) onModelError?.(error);
      const failure = describeModelError(error);
      if (!signal.aborted && (await waitForRetry(turn, failure, attempt, { maxRetries })) && !signal.aborted) continue;
      await (signal.aborted ? shown.cancel().catch(() => {}) : shown.fail(failure.message));
      return undefined;
    }
  }
}

/** There is another way to make room. */
const maxRetries = 2;

function toMessage(summary: string): ModelMessage {
  return { role: "user", content: `<summary>\n${summary}\n</summary>\n\n${explanation}` };
}

const explanation = "This is a summary of our conversation until here, which was too long to keep. Go on from it.";

/**
 * Where the recent part of a conversation begins, which stays as it is: at most `keep` tokens, and the last message at least. A
 * cut never comes between tool calls and their results, which providers want to see together: the results have a message of the
 * role `tool` right behind that of the calls. With `keep` 0 nothing stays.
 */
export function findCut(messages: readonly ModelMessage[], keep: number): number {
  if (keep === 0) return messages.length;
  const cuts = [...messages.keys()].filter((index) => messages[index]?.role !== "tool");
  const last = cuts.at(-1) ?? 0;
  return cuts.find((index) => tokensOf(messages.slice(index)) <= keep) ?? last;
}

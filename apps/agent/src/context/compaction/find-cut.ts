import type { ModelMessage } from "ai";

import { tokensOf } from "./context-size.ts";

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

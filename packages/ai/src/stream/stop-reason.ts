import type { StopReason } from "@acp/schema/v1/types";
import type { FinishReason } from "ai";

/** What the client is told about how the model finished. `error` and `interrupted` are thrown before. */
export function toStopReason(finishReason: FinishReason | undefined): StopReason {
  if (finishReason === "length") return "max_tokens";
  if (finishReason === "content-filter") return "refusal";
  return "end_turn";
}

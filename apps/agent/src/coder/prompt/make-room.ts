import type { AnyTurn } from "@acp/ai";
import type { LanguageModelUsage, ModelMessage } from "ai";

import { compact, type CompactionResult } from "../../context/compaction/compact.ts";
import { estimateTokens } from "../../context/compaction/context-size.ts";
import type { CoderOptions } from "../coder-options.ts";
import type { CoderSession } from "../session/coder-session.ts";
import { chosenModel } from "../settings/session-settings.ts";
import { readableModel } from "./without-images.ts";

/** What the last request of a conversation has taken, as far as the provider says it. */
export interface Measured {
  lastUsage: LanguageModelUsage | undefined;
}

/** A conversation that has become too long: that of the session, or of a subagent. */
export interface LongConversation {
  readonly coder: CoderOptions;
  readonly session: CoderSession;
  readonly messages: ModelMessage[];
  readonly measured: Measured;
  /** Whether the user sees it. */
  readonly isMain: boolean;
}

/** How to shorten a conversation. Sizes are in tokens. */
export interface RoomOptions {
  readonly contextSize: number;
  /** How much of the end stays as it is. */
  readonly keep: number;
  readonly wish?: string;
}

/** Shortens a conversation, saves what is left of it, and shows how full the context is now. */
export async function makeRoom(
  turn: AnyTurn,
  { coder, session, messages, measured, isMain }: LongConversation,
  options: RoomOptions,
): Promise<CompactionResult> {
  const asked = chosenModel(coder.models, session.settings);
  let cost: ReturnType<CoderSession["costs"]["add"]>;
  const result = await compact({
    ...options,
    turn,
    messages,
    model: readableModel(asked),
    isShown: isMain,
    onModelError: coder.onModelError,
    onUsage: (usage) => {
      cost = session.costs.add(usage, asked.price);
    },
  });
  if (result === "unchanged") return result;
  // What the provider has counted is no longer there.
  measured.lastUsage = undefined;
  if (!isMain) return result;
  await session.stored.append({ type: "compacted", messages });
  const used = estimateTokens(messages);
  const size = asked.contextSize;
  await turn.offer({ sessionUpdate: "usage_update", used, size, ...(cost === undefined ? {} : { cost }) });
  return result;
}

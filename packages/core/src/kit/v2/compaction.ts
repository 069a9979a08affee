import type { ContentBlock } from "@acp/schema/v2/types";
import * as common from "../v1/compaction.ts";
import type { AgentTurn } from "../../v2/agent-turn.ts";
import type { AnySession } from "./any-session.ts";

/** A compaction of the context that the client was told of. It ends once: after that, every method rejects with a {@link UsageError}. */
export type Compaction = common.Compaction<ContentBlock>;

/** Tells the client that the agent begins to shorten its context. Every client of version 2 is told. */
export const startCompaction: (to: Pick<AnySession | AgentTurn, "update" | "offer">) => Promise<Compaction> =
  common.beginCompaction;

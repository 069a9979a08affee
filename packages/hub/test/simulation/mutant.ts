import type { Journal } from "../../src/journal/journal.ts";
import type { AgentEvents } from "../../src/keeper/agent-link.ts";

/** Something that is wrong on purpose. */
export interface Mutant {
  readonly name: string;
  /** Changes what the engine does. */
  engine?(journal: Journal): Journal;
  /** Changes the journal as keepers and fronts have it. */
  journal?(journal: Journal): Journal;
  /** Changes what agents tell their keepers. */
  events?(events: AgentEvents): AgentEvents;
  /** Changes classes of the product. Returns what undoes that. */
  patch?(): () => void;
  /** No timer of this length ever fires. */
  readonly deadTimer?: number;
  /** Keepers do not tell their fronts what they have stored. */
  readonly isSilent?: boolean;
  /** Clients are not told that a question is withdrawn. */
  readonly isDeaf?: boolean;
}

export const noMutant: Mutant = { name: "none" };

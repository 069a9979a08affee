import type { Clock } from "../clock.ts";
import type { Journal } from "../journal/journal.ts";
import type { OpenAgent } from "./agent-link.ts";
import { Keeper, SessionHeldError } from "./keeper.ts";
import type { Keepers, KeeperStart, RunningKeeper } from "./keepers.ts";
import type { CheckedLimits } from "./limits.ts";

/** What keepers in this process need. */
export interface LocalKeepersParts {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly limits: CheckedLimits;
  openAgentOf(start: KeeperStart): OpenAgent;
  readonly policy?: ((method: string, params: unknown) => unknown) | undefined;
  readonly onProblem?: ((message: string, error: unknown) => void) | undefined;
}

/** Keeps sessions in this process: their agents end with it. */
export function localKeepers(parts: LocalKeepersParts): Keepers {
  const running = new Set<Keeper>();
  return {
    find: () => Promise.resolve(undefined),
    async start(start, onStored): Promise<RunningKeeper | undefined> {
      const { journal, clock, limits, policy, onProblem } = parts;
      const { session, setup } = start;
      const openAgent = parts.openAgentOf(start);
      let keeper: Keeper | undefined;
      try {
        keeper = await Keeper.start({ journal, session, openAgent, setup, limits, clock, policy, onProblem, onStored });
      } catch (error) {
        if (error instanceof SessionHeldError) return undefined;
        throw error;
      }
      if (keeper === undefined) return undefined;
      const kept = keeper;
      running.add(kept);
      void kept.closed.then(() => running.delete(kept));
      // How it went is an entry.
      if (start.opens !== false) void kept.open().catch(() => {});
      return kept;
    },
    close: async () => {
      await Promise.all([...running].map((keeper) => keeper.close()));
    },
  };
}

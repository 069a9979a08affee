import { steer } from "@acp/core/steering";

import type { PromptBlock, SteeringEnd } from "./agent.ts";

/** Says something in the running turn of a session of either version. */
export async function say(
  session: Parameters<typeof steer>[0],
  prompt: string | readonly PromptBlock[],
  signal?: AbortSignal,
): Promise<SteeringEnd> {
  const outcome = await steer(session, prompt, { signal });
  // An agent may have started a turn of its own with it.
  return outcome === "injected" || outcome === "startedNewTurn" ? "taken" : "refused";
}

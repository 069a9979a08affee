import type { SessionOption } from "../chat-state.ts";

/** The option for the mode. */
export function modeOf(options: readonly SessionOption[]): SessionOption | undefined {
  return options.find(({ category }) => category === "mode");
}

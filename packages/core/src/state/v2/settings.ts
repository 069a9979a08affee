import { unknownVariant } from "@acp/schema";
import type { Received } from "@acp/schema/v2/types";

/** The categories that the protocol names. */
const known: ReadonlySet<string> = new Set(["mode", "model", "model_config", "thought_level"]);

/**
 * The options of a category, in the agent's order: the important ones first. For `undefined`: those without a category, or
 * with one that the protocol does not name; show them like any other. Options of an unknown kind are left out.
 */
export function optionsOf(
  { configOptions }: { readonly configOptions: readonly Received.SessionConfigOption[] },
  category: string | undefined,
): readonly KnownOption[] {
  const options = configOptions.filter((option) => option.type !== unknownVariant);
  if (category !== undefined) return options.filter((option) => option.category === category);
  return options.filter((option) => !known.has(option.category ?? ""));
}

/** A config option of a kind that this version knows. */
export type KnownOption = Extract<Received.SessionConfigOption, { readonly type: string }>;

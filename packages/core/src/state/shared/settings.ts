import { unknownVariant } from "@acp/schema";
import { requireObject } from "../../base/require-argument.ts";

/** A config option of either version. */
interface AnyOption {
  readonly type: string;
  readonly category?: string | null;
}

/** A config option of a kind that this version knows. */
export type KnownOption<Option> = Exclude<Option, { readonly type: typeof unknownVariant }>;

/**
 * The options of a category, in the agent's order: the important ones first (CONF-03). For `undefined`, the options without
 * a category, or with one that the protocol does not name; show them like any other (CONF-08). Leaves out options of an
 * unknown kind.
 */
export function optionsOf<Option extends AnyOption>(
  settings: { readonly configOptions: readonly Option[] | undefined },
  category: string | undefined,
): readonly KnownOption<Option>[] {
  requireObject(settings, "optionsOf() takes a state or a session first");
  const { configOptions = [] } = settings;
  return configOptions
    .filter((option): option is KnownOption<Option> => option.type !== unknownVariant)
    .filter((option) => (category === undefined ? !named.has(option.category ?? "") : option.category === category));
}

/** The categories that the protocol names (CONF-09). */
const named: ReadonlySet<string> = new Set(["mode", "model", "model_config", "thought_level"]);

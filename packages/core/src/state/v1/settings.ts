import type { Received } from "@acp/schema/v1/types";

/** What the settings are read from: pass a `SessionState` or a `ClientSession`. */
export interface Settings {
  /** The modes; `undefined` if there are none. */
  readonly modes: Received.SessionModeState | undefined;
  /** All config options; `undefined` if there are none. */
  readonly configOptions: readonly Received.SessionConfigOption[] | undefined;
}

/** What to show where the user chooses a mode, and how to set it. */
export type ModeSelector =
  /** A config option: set it with `session.setConfigOption(option.id, value)`. */
  | { readonly via: "config_option"; readonly option: Extract<Received.SessionConfigOption, { type: "select" }> }
  /** The older way: `session.setMode(modeId)`. */
  | { readonly via: "modes"; readonly modes: Received.SessionModeState };

/**
 * Where the user chooses the mode; `undefined` if there is nothing to choose. If the agent has config options, its modes
 * are ignored: they are the older way to say the same (CONF-02). An empty list is none: it may have had only options that
 * this client does not take, or does not know.
 */
export function modeSelector({ modes, configOptions }: Settings): ModeSelector | undefined {
  if (!configOptions?.length) return modes === undefined ? undefined : { via: "modes", modes };
  const option = configOptions.filter((one) => one.type === "select").find(({ category }) => category === "mode");
  return option === undefined ? undefined : { via: "config_option", option };
}

/**
 * The options of a category, in the agent's order: the important ones first (CONF-03). For `undefined`: those without a
 * category, or with one that the protocol does not name. Show them like any other (CONF-08).
 */
export function optionsOf(
  { configOptions = [] }: Pick<Settings, "configOptions">,
  category: string | undefined,
): readonly Received.SessionConfigOption[] {
  if (category !== undefined) return configOptions.filter((option) => option.category === category);
  return configOptions.filter((option) => !known.has(option.category ?? ""));
}

/** The categories that the protocol names (CONF-09). */
const known: ReadonlySet<string> = new Set(["mode", "model", "model_config", "thought_level"]);

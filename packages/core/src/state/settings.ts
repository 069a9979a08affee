import type { Received } from "@acp/schema/v1";

/** What the settings are read from: a session's state, or the session itself. */
export interface Settings {
  readonly modes: Received.SessionModeState | undefined;
  readonly configOptions: readonly Received.SessionConfigOption[] | undefined;
}

/** What to show where the user chooses a mode, and how to set it. */
export type ModeSelector =
  /** A config option: set it with `session.setConfigOption(option.id, value)`. */
  | { readonly via: "config_option"; readonly option: Extract<Received.SessionConfigOption, { type: "select" }> }
  /** The older way: `session.setMode(modeId)`. */
  | { readonly via: "modes"; readonly modes: Received.SessionModeState };

/**
 * What chooses the mode; `undefined` if nothing does. If the agent has config options, modes are ignored, since they
 * say the same in an older way (CONF-02).
 */
export function modeSelector({ modes, configOptions }: Settings): ModeSelector | undefined {
  if (configOptions === undefined) return modes === undefined ? undefined : { via: "modes", modes };
  const option = configOptions.filter((one) => one.type === "select").find(({ category }) => category === "mode");
  return option === undefined ? undefined : { via: "config_option", option };
}

/**
 * The options of a category in the agent's order, which says what counts more (CONF-03). Without a category: those that
 * have none, or one that the protocol does not name; they are shown like any other (CONF-08).
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

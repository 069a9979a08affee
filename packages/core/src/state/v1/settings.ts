import type { Received } from "@acp/schema/v1/types";
import { requireObject } from "../../base/require-argument.ts";

/** The settings of a session: pass a `SessionState` or a `ClientSession`. */
export interface Settings {
  /** The modes; `undefined` if there are none. */
  readonly modes: Received.SessionModeState | undefined;
  /** All config options; `undefined` if there are none. */
  readonly configOptions: readonly Received.SessionConfigOption[] | undefined;
}

/** The control with which the user chooses a mode, and how to set the choice. */
export type ModeSelector =
  /** A config option: set it with `session.setConfigOption(option.id, value)`. */
  | { readonly via: "config_option"; readonly option: Extract<Received.SessionConfigOption, { type: "select" }> }
  /** The older way: set it with `session.setMode(modeId)`. */
  | { readonly via: "modes"; readonly modes: Received.SessionModeState };

/**
 * The control with which the user chooses the mode; `undefined` if there is nothing to choose. If the agent has config
 * options, its modes are ignored: they are the older way to offer the same (CONF-02). An empty list counts as no options:
 * it may have had only options that this client does not accept or does not know.
 */
export function modeSelector(settings: Settings): ModeSelector | undefined {
  requireObject(settings, "modeSelector() takes a state or a session");
  const { modes, configOptions } = settings;
  if (!configOptions?.length) return modes === undefined ? undefined : { via: "modes", modes };
  const option = configOptions.filter((one) => one.type === "select").find(({ category }) => category === "mode");
  return option === undefined ? undefined : { via: "config_option", option };
}

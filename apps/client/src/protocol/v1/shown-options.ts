import { modeSelector, type Settings } from "@acp/core/state";
import type { Received } from "@acp/schema/v1";

import { toChoices, remember } from "../shown-items.ts";
import type { SessionOption } from "../shown.ts";

/** The mode and the options of a session. If an agent has both, options take precedence over modes (CONF-02). */
export function showOptions(settings: Settings): readonly SessionOption[] {
  const selector = modeSelector(settings);
  const { configOptions } = settings;
  if (selector?.via === "modes") return showModes(selector.modes);
  return configOptions === undefined ? none : showConfig(configOptions);
}

const none: readonly SessionOption[] = [];

const showModes = remember(({ availableModes, currentModeId }: Received.SessionModeState): readonly SessionOption[] => [
  {
    id: undefined,
    name: "Mode",
    category: "mode",
    value: currentModeId,
    choices: availableModes.map(({ id, name, description }) => ({
      value: id,
      name,
      description: description ?? undefined,
    })),
  },
]);

const showConfig = remember((options: readonly Received.SessionConfigOption[]): readonly SessionOption[] =>
  options.map((option) => {
    const { id, name, description, category, currentValue: value } = option;
    const choices = option.type === "select" ? toChoices(option.options) : [];
    return { id, name, description: description ?? undefined, category: category ?? undefined, value, choices };
  }),
);

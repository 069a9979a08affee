import { createSettings, type Settings } from "@acp/core/v2/agent";
import type { AgentSession } from "@acp/core/v2/unstable";
import type { NewSessionResponse, SessionConfigOption } from "@acp/schema/v2";

import type { ConfiguredModels } from "../../model/models.ts";
import type { CoderSession } from "../session/coder-session.ts";
import { type Choice, choicesOf, effortsOf } from "../settings/choices.ts";
import { changeSetting, defaultSettings, type SessionSettings } from "../settings/session-settings.ts";

/** The settings in version 2: mode, model and effort are config options. */
export interface SettingsOfVersion2 {
  readonly handlers: Settings<Values>["handlers"];
  /** Opens a session with the settings that it has. */
  open(session: AgentSession<CoderSession>): Promise<Pick<NewSessionResponse, "configOptions">>;
}

type Values = Record<string, string | boolean>;

export function createSettingsOfVersion2(models: ConfiguredModels): SettingsOfVersion2 {
  const defaults = toOptions(models, defaultSettings(models));
  const settings: Settings<Values> = createSettings<readonly SessionConfigOption[]>(
    { configOptions: defaults },
    {
      onChange: async (session, { configId, value }) => {
        const { settings: chosen, stored } = session.state as CoderSession;
        const before = effortsOf(models, chosen);
        changeSetting(models, chosen, configId, value);
        await stored.append({ type: "settings", settings: chosen });
        // Another model has other efforts.
        if (effortsOf(models, chosen) !== before) await settings.replace(session, toOptions(models, chosen));
      },
    },
  );
  return {
    handlers: settings.handlers,
    open: async (session) => {
      const { settings: chosen } = session.state;
      const setup = settings.open(session, { ...chosen });
      const configOptions = toOptions(models, chosen);
      if (effortsOf(models, chosen) !== effortsOf(models, defaultSettings(models)))
        await settings.replace(session, configOptions);
      return { ...setup, configOptions };
    },
  };
}

function toOptions(models: ConfiguredModels, chosen: SessionSettings): SessionConfigOption[] {
  return choicesOf(models, chosen).map(toOption);
}

function toOption({ id, category, name, current, values }: Choice): SessionConfigOption {
  return { type: "select", configId: id, category, name, currentValue: current, options: [...values] };
}

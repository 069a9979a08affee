import { createSettings, type Settings } from "@acp/core/v2/agent";
import type { AgentSession } from "@acp/core/v2/unstable";
import type { NewSessionResponse, SessionConfigOption } from "@acp/schema/v2";

import type { ConfiguredModels } from "../../model/models.ts";
import type { CoderSession } from "../session/coder-session.ts";
import { type Choice, choicesOf, effortsOf } from "../settings/choices.ts";
import { defaultSettings, type SessionSettings } from "../settings/session-settings.ts";
import { takeSetting } from "../settings/take-setting.ts";

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
        const state = session.state as CoderSession;
        const hasOtherEfforts = await takeSetting(models, state, configId, value);
        if (hasOtherEfforts) await settings.replace(session, toOptions(models, state.settings));
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

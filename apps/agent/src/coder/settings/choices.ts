import type { ConfiguredModels, Effort } from "../../model/models.ts";
import { modes } from "./modes.ts";
import { chosenModel, type SessionSettings } from "./session-settings.ts";

/** A setting with its values, as editors show it. Both versions of the protocol have it, in other words. */
export interface Choice {
  readonly id: keyof SessionSettings;
  readonly category: "mode" | "model" | "thought_level";
  readonly name: string;
  readonly current: string;
  readonly values: readonly { readonly value: string; readonly name: string; readonly description?: string }[];
}

const effortNames: Readonly<Record<Effort | "default", string>> = {
  default: "Default",
  none: "None",
  minimal: "Minimal",
  low: "Low",
  medium: "Medium",
  high: "High",
  xhigh: "Very high",
};

/** What can be chosen in a session. The efforts are those of its model; a model without any has no such choice. */
export function choicesOf(models: ConfiguredModels, settings: SessionSettings): readonly Choice[] {
  const { efforts } = chosenModel(models, settings);
  const effort: Choice = {
    id: "effort",
    category: "thought_level",
    name: "Effort",
    current: settings.effort,
    values: (["default", ...efforts] as const).map((value) => ({ value, name: effortNames[value] })),
  };
  return [
    {
      id: "mode",
      category: "mode",
      name: "Mode",
      current: settings.mode,
      values: modes.map(({ id, name, description }) => ({ value: id, name, description })),
    },
    {
      id: "model",
      category: "model",
      name: "Model",
      current: chosenModel(models, settings).id,
      values: models.map(({ id, name }) => ({ value: id, name })),
    },
    ...(efforts.length === 0 ? [] : [effort]),
  ];
}

/** Tells the efforts of one model from those of another. */
export function effortsOf(models: ConfiguredModels, settings: SessionSettings): string {
  return chosenModel(models, settings).efforts.join();
}

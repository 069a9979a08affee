import type { ConfiguredModel, ConfiguredModels, Effort } from "../../model/models.ts";
import { isModeId, type ModeId } from "./modes.ts";

/** What the user can choose in a session, at any time. A change counts from the next request to the model. */
export interface SessionSettings {
  mode: ModeId;
  /** The `id` of a model. */
  model: string;
  /** `default` leaves it to the model. */
  effort: Effort | "default";
}

export function defaultSettings([first]: ConfiguredModels): SessionSettings {
  return { mode: "ask", model: first.id, effort: "default" };
}

/** The model that a session has chosen. */
export function chosenModel(models: ConfiguredModels, { model }: SessionSettings): ConfiguredModel {
  return models.find(({ id }) => id === model) ?? models[0];
}

/** Takes over a value, if it is one that can be chosen. */
export function changeSetting(models: ConfiguredModels, settings: SessionSettings, id: string, value: unknown): void {
  if (id === "mode" && isModeId(value)) settings.mode = value;
  if (id === "effort" && isEffort(models, settings, value)) settings.effort = value;
  if (id === "model" && models.some((model) => model.id === value)) {
    settings.model = String(value);
    // The new model may not know the effort.
    if (!isEffort(models, settings, settings.effort)) settings.effort = "default";
  }
}

/** Reads settings that were saved. What can no longer be chosen, such as a model that was removed, has its default again. */
export function readSettings(models: ConfiguredModels, saved: unknown): SessionSettings {
  const settings = defaultSettings(models);
  const entries: Partial<Record<string, unknown>> = typeof saved === "object" && saved !== null ? { ...saved } : {};
  for (const id of ["mode", "model", "effort"]) changeSetting(models, settings, id, entries[id]);
  return settings;
}

function isEffort(
  models: ConfiguredModels,
  settings: SessionSettings,
  value: unknown,
): value is SessionSettings["effort"] {
  const efforts: readonly unknown[] = chosenModel(models, settings).efforts;
  return value === "default" || efforts.includes(value);
}

import type { UiSettings } from "./config.ts";
import { findConfigs } from "./find-configs.ts";

/**
 * The settings of the user interface; those of the project come first. They start nothing, and so need no trust.
 *
 * @throws {ProgramFailure} if the configuration is wrong.
 */
export function uiSettingsOf(cwd: string, env: Readonly<Record<string, string | undefined>>): UiSettings {
  const { project, user } = findConfigs(cwd, env);
  return { ...user?.config.ui, ...project?.config.ui };
}

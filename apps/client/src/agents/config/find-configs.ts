import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

import type { Environment } from "../../cli/streams.ts";
import { foldersOf } from "../folders.ts";
import type { ConfigFile, UiSettings } from "./config.ts";
import { readConfig } from "./read-config.ts";

export interface Configs {
  /** The nearest one from the working directory upwards, to the root of the repository. */
  readonly project: ConfigFile | undefined;
  readonly user: ConfigFile | undefined;
}

/** @throws {ProgramFailure} if a file cannot be read, or is wrong. */
export function findConfigs(cwd: string, env: Environment): Configs {
  const userPath = userConfigPath(env);
  return {
    project: findProjectConfig(cwd, userPath),
    user: open("user", userPath, dirname(userPath)),
  };
}

export function userConfigPath(env: Environment): string {
  return join(foldersOf(env).config, "config.json");
}

export function projectConfigPath(project: string): string {
  return join(project, ".acp", "config.json");
}

/** The root of the repository around a directory, or the directory itself. */
export function projectOf(cwd: string): string {
  for (const folder of upwards(cwd)) {
    if (existsSync(projectConfigPath(folder)) || isRepository(folder)) return folder;
  }
  return cwd;
}

function findProjectConfig(cwd: string, userPath: string): ConfigFile | undefined {
  for (const folder of upwards(cwd)) {
    const path = projectConfigPath(folder);
    // With XDG_CONFIG_HOME=~/.acp or the like, the same file must not be both.
    const found = path === userPath ? undefined : open("project", path, folder);
    if (found !== undefined || isRepository(folder)) return found;
  }
  return undefined;
}

/** A repository, or a work tree of one, where it is a file. */
function isRepository(folder: string): boolean {
  return existsSync(join(folder, ".git"));
}

function* upwards(folder: string): Generator<string> {
  for (let current = folder; ; current = dirname(current)) {
    yield current;
    if (dirname(current) === current) return;
  }
}

function open(kind: ConfigFile["kind"], path: string, base: string): ConfigFile | undefined {
  const found = readConfig(path);
  return found && { kind, path, base, ...found };
}

/**
 * The settings of the user interface; those of the project come first. They start nothing, and so need no trust.
 *
 * @throws {ProgramFailure} if the configuration is wrong.
 */
export function uiSettingsOf(cwd: string, env: Environment): UiSettings {
  const { project, user } = findConfigs(cwd, env);
  return { ...user?.config.ui, ...project?.config.ui };
}

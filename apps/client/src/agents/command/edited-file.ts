import { CommandLineError } from "../../cli/exit.ts";
import { editConfig } from "../config/edit-config.ts";
import type { MemberEdit } from "../config/edit-text.ts";
import { projectConfigPath, projectOf, userConfigPath } from "../config/find-configs.ts";
import { readConfig } from "../config/read-config.ts";
import { isProjectTrusted, rememberProject } from "../consent/trust-project.ts";
import type { Streams } from "../../cli/streams.ts";
import type { ConfigFile } from "../config/config.ts";

export interface EditedFile extends Pick<ConfigFile, "kind" | "path" | "config"> {
  /** Changes it. The user's own change of a project's file does not take trust away, and a new file is trusted. */
  edit(edits: readonly MemberEdit[]): void;
}

/** @throws {ProgramFailure} if the file cannot be read, or is wrong. */
export function editedFile(isProject: boolean, cwd: string, env: Streams["env"]): EditedFile {
  const kind = isProject ? "project" : "user";
  const base = isProject ? projectOf(cwd) : "";
  const path = isProject ? projectConfigPath(base) : userConfigPath(env);
  const found = readConfig(path);
  const file: ConfigFile = { kind, path, base, text: found?.text ?? "", config: found?.config ?? {} };
  return {
    kind,
    path,
    config: file.config,
    edit(edits) {
      const isTrusted = kind === "project" && (found === undefined || isProjectTrusted(file, env));
      const text = editConfig(kind, path, edits);
      if (isTrusted) rememberProject({ path, text }, env);
    },
  };
}

export function requireName(name: string | undefined, usage: string): string {
  if (name === undefined) throw new CommandLineError(`The name is missing. Use: acp agents ${usage}`);
  if (/^[A-Za-z0-9][A-Za-z0-9._-]*$/u.test(name)) return name;
  throw new CommandLineError(`'${name}' cannot be a name. Use letters, digits, dots, hyphens and underscores`);
}

import type { ConfiguredServer, Launch } from "../launch.ts";

/** A file of the configuration, as `schema/config.schema.json` describes it. */
export interface Config {
  readonly default?: string;
  readonly registry?: string | false;
  readonly agents?: Readonly<Record<string, ConfiguredAgent>>;
  readonly mcpServers?: Readonly<Record<string, ConfiguredServer>>;
  readonly ui?: UiSettings;
}

/** An agent: it has either a command, or an id of the registry. */
export interface ConfiguredAgent extends Pick<
  Launch,
  "cwd" | "env" | "framing" | "protocol" | "mode" | "model" | "options" | "login" | "permissions"
> {
  readonly command?: string;
  readonly args?: readonly string[];
  readonly registry?: string;
  readonly from?: string;
  readonly additionalDirectories?: readonly string[];
  readonly mcpServers?: Readonly<Record<string, ConfiguredServer>>;
}

export interface UiSettings {
  readonly plain?: boolean;
  readonly thoughts?: "folded" | "full";
  readonly notifications?: boolean;
}

export interface ConfigFile {
  readonly kind: "project" | "user";
  readonly path: string;
  /** The folder that relative paths in it start from: the project, or the folder of the user's configuration. */
  readonly base: string;
  readonly text: string;
  readonly config: Config;
}

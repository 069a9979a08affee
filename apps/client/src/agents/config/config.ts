/** A file of the configuration, as `schema/config.schema.json` describes it. */
export interface Config {
  readonly default?: string;
  readonly registry?: string | false;
  readonly agents?: Readonly<Record<string, ConfiguredAgent>>;
  readonly ui?: UiSettings;
}

/** An agent: it has either a command, or an id of the registry. */
export interface ConfiguredAgent {
  readonly command?: string;
  readonly args?: readonly string[];
  readonly registry?: string;
  readonly from?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly framing?: "ndjson" | "content-length";
  readonly protocol?: 1 | 2;
  readonly mode?: string;
  readonly login?: string;
  readonly permissions?: {
    readonly policy?: "ask" | "allow" | "yes";
    readonly allowRead?: readonly string[];
    readonly allowEdit?: readonly string[];
    readonly allowCommand?: readonly string[];
  };
}

/** Settings of the user interface. */
export interface UiSettings {
  readonly plain?: boolean;
  readonly thoughts?: "folded" | "full";
}

/** A file of the configuration with its place. */
export interface ConfigFile {
  readonly kind: "project" | "user";
  readonly path: string;
  /** The folder that relative paths in it start from: the project, or the folder of the user's configuration. */
  readonly base: string;
  /** What is written in it. */
  readonly text: string;
  readonly config: Config;
}

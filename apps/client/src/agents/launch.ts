/** How to start an agent, and what its configuration says of it. */
export interface Launch {
  /** The name in the configuration, on `PATH` or in the registry; `undefined` for a command of the command line. */
  readonly name: string | undefined;
  readonly command: string;
  readonly args: readonly string[];
  /** Where the name was found. */
  readonly source: LaunchSource;
  /** The directory to start the program in; absolute. Default: that of this process. */
  readonly cwd?: string;
  /** Variables in addition to those of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** The framing that the agent expects. Default: ndjson. */
  readonly framing?: "ndjson" | "content-length";
  /** The newest protocol version to offer. Default: 1. */
  readonly protocol?: 1 | 2;
  /** The mode to select in a new session. */
  readonly mode?: string;
  /** The login method to call first. */
  readonly login?: string;
  /** How its questions are answered, where the command line says nothing about that. */
  readonly permissions?: LaunchPermissions;
}

/** Where an agent comes from. */
export interface LaunchSource {
  readonly kind: "command" | "project" | "user" | "path" | "registry";
  /** The configuration file, or the file or URL of the registry. */
  readonly from?: string;
}

/** What an agent may do without asking, as the options of the same names say. Paths are absolute. */
export interface LaunchPermissions {
  readonly policy?: "ask" | "allow" | "yes";
  readonly allowRead?: readonly string[];
  readonly allowEdit?: readonly string[];
  readonly allowCommand?: readonly string[];
}

/** The launch of a command of the command line. */
export function launchOfCommand(command: string, args: readonly string[]): Launch {
  return { name: undefined, command, args, source: { kind: "command" } };
}

import type { ConfiguredPermissions } from "../protocol/permission/settings.ts";

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
  readonly framing?: "ndjson" | "content-length" | undefined;
  /** The newest protocol version to offer. Default: 1. */
  readonly protocol?: 1 | 2 | undefined;
  /** The mode, the model and the options to select in a new session. */
  readonly mode?: string;
  readonly model?: string;
  readonly options?: Readonly<Record<string, string | boolean>>;
  /** What its sessions get, as its configuration says. */
  readonly setup?: LaunchSetup;
  /** The login method to call first. */
  readonly login?: string;
  /** How its questions are answered, where the command line says nothing about that. */
  readonly permissions?: ConfiguredPermissions;
}

/** Where an agent comes from. */
export interface LaunchSource {
  readonly kind: "command" | "project" | "user" | "path" | "registry";
  /** The configuration file, or the file or URL of the registry. */
  readonly from?: string;
}

/** What the sessions of an agent get. */
export interface LaunchSetup extends ServerSource {
  /** Absolute. */
  readonly additionalDirectories: readonly string[];
}

export interface ServerSource {
  readonly mcpServers: Readonly<Record<string, ConfiguredServer>>;
  /** The place, for messages: `config.json: agents.codex`. */
  readonly place: string;
  /** The folder that relative programs start from. */
  readonly base: string;
}

/** An MCP server as files write it. */
export interface ConfiguredServer {
  readonly type?: string;
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly disabled?: boolean;
}

export interface NamedAgent {
  /** The name that the user chose it by: how to start it is looked up again. */
  readonly name?: string | undefined;
  readonly command: string;
  readonly args: readonly string[];
  /** The framing and the protocol version that the run asked for, where they are not the defaults. */
  readonly framing?: "content-length" | undefined;
  readonly protocol?: 2 | undefined;
}

export function launchOfCommand(command: string, args: readonly string[]): Launch {
  return { name: undefined, command, args, source: { kind: "command" } };
}

/** A launch with what the session needs, where the agent's configuration says nothing else. */
export function withKnown(launch: Launch, known: NamedAgent | undefined): Launch {
  const { framing = known?.framing, protocol = known?.protocol } = launch;
  return { ...launch, framing, protocol };
}

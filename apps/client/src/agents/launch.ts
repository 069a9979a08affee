/** How to start an agent. */
export interface Launch {
  /** The name in the configuration, on `PATH` or in the registry; `undefined` for a command of the command line. */
  readonly name: string | undefined;
  readonly command: string;
  readonly args: readonly string[];
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
}

/** How a client is started and driven. */
export interface ClientSettings {
  /**
   * The command line of the client, in parts. `{agent}` stands for the command line of the scripted agent, `{agent:json}` for
   * the same as a JSON array, and `{prompt}` for what to prompt; a client without `{prompt}` gets the prompt as a line on
   * its stdin.
   */
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  readonly cwd?: string | undefined;
  readonly protocol: 1 | 2;
  readonly framing: "ndjson" | "content-length";
  /** How the client is told to cancel: a signal, or a line for its stdin. Default: `SIGINT`. */
  readonly cancel: string;
  /** How long the client may take for what a check waits for, in milliseconds. */
  readonly timeout: number;
  /** What random pieces are made of. */
  readonly seed: number;
}

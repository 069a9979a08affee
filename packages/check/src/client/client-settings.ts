/** How a client is started and driven. */
export interface ClientSettings {
  /**
   * The command line of the client, in parts. `{agent}` stands for the command line of the scripted agent, `{agent:json}` for
   * the same as a JSON array, and `{prompt}` for what to prompt; a client without `{prompt}` gets its prompts as lines on
   * its stdin.
   */
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  readonly cwd?: string | undefined;
  readonly protocol: 1 | 2;
  readonly framing: "ndjson" | "content-length";
  /** How the client is told to cancel: a signal, or a line for its stdin. Default: `SIGINT`. */
  readonly cancel: string;
  /**
   * The line for its stdin that answers a question for permission: `{option}` stands for the id of an option, `{number}` for
   * its place, from 1. Default: none, the client answers by itself or not at all.
   */
  readonly answer?: string | undefined;
  /** The line for its stdin that ends the client. Default: the end of its stdin. */
  readonly close?: string | undefined;
  /**
   * Whether the command is a driver: a program that drives a client for which a person is needed. It gets the lines
   * `prompt <text>`, `cancel`, `answer <option>` and `close`, and tells with lines of JSON, `{"shown": "<text>"}`, what the
   * client shows. Default: `false`.
   */
  readonly driver?: boolean | undefined;
  /** How long the client may take for what a check waits for, in milliseconds. */
  readonly timeout: number;
  /** What random pieces are made of. */
  readonly seed: number;
}

/** The lines that a client gets. */
export interface ClientLines {
  prompt(text: string): string;
  readonly cancel: string;
  answer?(option: string, place: number): string;
  readonly close?: string;
}

/** What to write to a client's stdin. */
export function linesOf({ driver, cancel, answer, close }: ClientSettings): ClientLines {
  if (driver === true) {
    return {
      prompt: (text) => `prompt ${text}`,
      cancel: "cancel",
      answer: (option) => `answer ${option}`,
      close: "close",
    };
  }
  return {
    prompt: (text) => text,
    cancel,
    ...(answer === undefined
      ? {}
      : {
          answer: (option, place) => answer.replaceAll("{option}", option).replaceAll("{number}", String(place)),
        }),
    ...(close === undefined ? {} : { close }),
  };
}

/** Whether the client takes one prompt, from its arguments, and ends by itself. */
export function takesOnePrompt({ command, driver }: ClientSettings): boolean {
  return driver !== true && command.some((part) => part.includes("{prompt}"));
}

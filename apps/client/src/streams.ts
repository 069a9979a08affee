/** What the program reads from and writes to. */
export interface Streams {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean; setRawMode?(mode: boolean): unknown };
  readonly output: NodeJS.WritableStream & {
    readonly isTTY?: boolean;
    readonly columns?: number;
    readonly writableNeedDrain?: boolean;
  };
  readonly error: NodeJS.WritableStream & { readonly isTTY?: boolean };
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Whether a user is there who can read questions and answer them. */
export function isInteractive({ input, output }: Streams): boolean {
  return input.isTTY === true && output.isTTY === true;
}

/** Those of this process. When nobody reads stdout any more (`| head`), the process ends. */
export function processStreams(): Streams {
  const { stdin: input, stdout: output, stderr: error, env } = process;
  output.on("error", () => process.exit(1));
  return { input, output, error, env };
}

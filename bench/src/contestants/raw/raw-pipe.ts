/** A pipe at its plainest: what the runtime offers, without a layer of ours between. */
export interface RawPipe {
  /** Begins reading. */
  read(data: (bytes: Uint8Array) => void, end: () => void): void;
  /** Writes text. Returns a promise when the pipe is full. */
  write(text: string): void | Promise<void>;
  end(): Promise<void>;
}

/** How the raw loop gets its pipes on a runtime. */
export interface RawRuntime {
  stdio(): RawPipe;
  spawn(command: readonly string[]): RawPipe;
}

/** The raw pipes of the runtime this process runs on. */
export async function rawRuntime(): Promise<RawRuntime> {
  if ("Deno" in globalThis) return (await import("./deno-pipes.ts")).denoPipes;
  if ("Bun" in globalThis) return (await import("./bun-pipes.ts")).bunPipes;
  return (await import("./node-pipes.ts")).nodePipes;
}

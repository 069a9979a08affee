import type { RawPipe, RawRuntime } from "./raw-pipe.ts";

/** The little of Bun that is needed here; its types and Deno's cannot stand side by side. */
interface BunApi {
  readonly stdin: { stream(): ReadableStream<Uint8Array> };
  readonly stdout: { writer(): Sink };
  spawn(
    command: string[],
    options: { stdin: "pipe"; stdout: "pipe"; stderr: "inherit" },
  ): {
    readonly stdin: Sink & { end(): unknown };
    readonly stdout: ReadableStream<Uint8Array>;
    readonly exited: Promise<number>;
  };
}

declare const Bun: BunApi;

/** Bun's own: `Bun.stdin`, `Bun.stdout` and `Bun.spawn`. */
export const bunPipes: RawRuntime = {
  stdio: () => pipe(Bun.stdin.stream(), Bun.stdout.writer(), async () => {}),
  spawn(command) {
    const child = Bun.spawn([...command], { stdin: "pipe", stdout: "pipe", stderr: "inherit" });
    return pipe(child.stdout, child.stdin, async () => {
      await child.stdin.end();
      await child.exited;
    });
  },
};

/** What {@link pipe} needs of a sink of Bun's. */
interface Sink {
  write(text: string): number;
  flush(): number | Promise<number>;
}

function pipe(input: ReadableStream<Uint8Array>, output: Sink, end: () => Promise<void>): RawPipe {
  return {
    read(data, ended) {
      void readAll(input, data).then(ended, ended);
    },
    write(text) {
      output.write(text);
      const flushed = output.flush();
      return typeof flushed === "object" ? flushed.then(() => {}) : undefined;
    },
    end,
  };
}

async function readAll(input: ReadableStream<Uint8Array>, data: (bytes: Uint8Array) => void): Promise<void> {
  for await (const chunk of input as unknown as AsyncIterable<Uint8Array>) data(chunk);
}

import type { RawPipe, RawRuntime } from "./raw-pipe.ts";

/** The little of Deno that is needed here; its types and Bun's cannot stand side by side. */
interface DenoApi {
  readonly stdin: { readonly readable: ReadableStream<Uint8Array> };
  readonly stdout: { readonly writable: WritableStream<Uint8Array> };
  readonly Command: new (
    command: string,
    options: { args: string[]; stdin: "piped"; stdout: "piped"; stderr: "inherit" },
  ) => {
    spawn(): {
      readonly stdin: WritableStream<Uint8Array>;
      readonly stdout: ReadableStream<Uint8Array>;
      readonly status: Promise<unknown>;
    };
  };
}

declare const Deno: DenoApi;

/** Deno's own: its stdio streams, and `Deno.Command`. */
export const denoPipes: RawRuntime = {
  stdio: () => pipe(Deno.stdin.readable, Deno.stdout.writable, async () => {}),
  spawn([command = "", ...args]) {
    const child = new Deno.Command(command, { args, stdin: "piped", stdout: "piped", stderr: "inherit" }).spawn();
    return pipe(child.stdout, child.stdin, async (writer) => {
      await writer.close();
      await child.status;
    });
  },
};

function pipe(
  input: ReadableStream<Uint8Array>,
  output: WritableStream<Uint8Array>,
  end: (writer: WritableStreamDefaultWriter<Uint8Array>) => Promise<void>,
): RawPipe {
  const writer = output.getWriter();
  const encoder = new TextEncoder();
  return {
    read(data, ended) {
      void readAll(input, data).then(ended, ended);
    },
    // A promise each time, but a write is a batch of messages.
    write: (text) => writer.write(encoder.encode(text)),
    end: () => end(writer),
  };
}

async function readAll(input: ReadableStream<Uint8Array>, data: (bytes: Uint8Array) => void): Promise<void> {
  for await (const chunk of input) data(chunk);
}

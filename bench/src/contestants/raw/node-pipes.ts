import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import type { Readable, Writable } from "node:stream";

import type { RawPipe, RawRuntime } from "./raw-pipe.ts";

/** Node's own streams. */
export const nodePipes: RawRuntime = {
  stdio: () => pipe(process.stdin, process.stdout, async () => {}),
  spawn([command = "", ...args]) {
    const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
    const exited = once(child, "exit");
    return pipe(child.stdout, child.stdin, async () => {
      child.stdin.end();
      await exited;
    });
  },
};

function pipe(input: Readable, output: Writable, end: () => Promise<void>): RawPipe {
  return {
    read(data, ended) {
      input.on("data", data);
      input.on("end", ended);
    },
    write(text) {
      return output.write(text) ? undefined : new Promise((resolve) => output.once("drain", resolve));
    },
    end,
  };
}

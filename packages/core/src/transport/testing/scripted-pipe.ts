import type { BytePipe, BytePipeSink } from "../byte-pipe.ts";
import { createDeferred, type Deferred } from "../../base/promises.ts";

/** A pipe whose other end is the test: it sees each write as it is made, and decides when there is room. */
export interface ScriptedPipe extends BytePipe {
  /** Text of each write, in order. */
  readonly writes: string[];
  /** What the transport asked of it: `pause`, `resume`, `close`. */
  readonly calls: string[];
  /** Makes every write ask to wait, until {@link ScriptedPipe.unblock}. */
  block(): void;
  unblock(): void;
  receive(bytes: Uint8Array | string): void;
  endInput(reason?: Error): void;
}

export function scriptedPipe(): ScriptedPipe {
  const writes: string[] = [];
  const calls: string[] = [];
  let sink: BytePipeSink | undefined;
  let room: Deferred | undefined;
  return {
    writes,
    calls,
    start(given) {
      sink = given;
    },
    pause: () => void calls.push("pause"),
    resume: () => void calls.push("resume"),
    write(bytes) {
      writes.push(new TextDecoder().decode(bytes));
      return room?.promise;
    },
    async close() {
      calls.push("close");
    },
    block() {
      room = createDeferred();
    },
    unblock() {
      room?.resolve();
      room = undefined;
    },
    receive: (bytes) => sink?.data(typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes),
    endInput: (reason) => sink?.closed(reason),
  };
}

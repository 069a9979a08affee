import { createServer, type Socket } from "node:net";
import process from "node:process";
import { fileURLToPath } from "node:url";

import type { BytePipe, BytePipeSink } from "@acp/core";
import { randomId, requireObject } from "@acp/core/internal";

import type { Peer } from "../peer/peer.ts";
import type { AgentHost } from "../script/step-runner.ts";
import { createFrameReader, encodeFrame, type RelayNote } from "./relay-frames.ts";

/** How a client starts a scripted agent as a process. */
export interface AgentCommand<P extends Peer = Peer> {
  /** The program. */
  readonly command: string;
  /** Its arguments. */
  readonly args: readonly string[];
  /** Both in one line, quoted for a shell of POSIX. */
  readonly line: string;
  /** The processes that clients have started so far, in order. */
  readonly processes: readonly FakeProcess<P>[];
  /** Resolves with the next process that a client starts. */
  started(): Promise<FakeProcess<P>>;
  /** Ends all processes, and takes no more. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** How the process of a scripted agent behaves. */
export interface AgentCommandOptions {
  /** Whether it goes on when it gets SIGTERM, SIGINT or SIGHUP. Default: `false`. */
  readonly ignoresSignals?: boolean | undefined;
}

/** What plays an agent's process: `fakeAgent()`, or what makes a {@link Peer} of its stdin and stdout. */
export interface AgentPlayer<P extends Peer = Peer> {
  /** A client has started the process. `host` ends it. */
  attach(pipe: BytePipe, host: AgentHost): P;
}

/** A process that a client has started as its agent. */
export interface FakeProcess<P extends Peer = Peer> {
  readonly pid: number;
  /** What the client has put behind the arguments of the command. */
  readonly args: readonly string[];
  /** All that went over its stdin and stdout. */
  readonly peer: P;
  /** The signals that it has got. It ends by the first, unless it ignores them. */
  readonly signals: readonly string[];
  /**
   * Resolves with `true` once it has told of all signals that it has got so far, and with `false` if it has ended before
   * that, as by SIGKILL.
   */
  settled(): Promise<boolean>;
  /** Settles when its stdin has ended. */
  readonly inputEnded: Promise<void>;
  /** Settles when it has ended. */
  readonly ended: Promise<void>;
  /** Writes to its stderr. */
  stderr(text: string): void;
}

/**
 * Makes a scripted agent a program that any client can start, in any language. The program passes bytes on; the script runs
 * here, so it can look at variables of the test.
 *
 * ```ts
 * await using command = await agentCommand(fakeAgent([say("Hi")]));
 * spawn("my-client", ["--agent", command.line]);
 * ```
 */
export async function agentCommand<P extends Peer>(
  agent: AgentPlayer<P>,
  options: AgentCommandOptions = {},
): Promise<AgentCommand<P>> {
  requireObject(agent, "agentCommand() takes what fakeAgent() returns", "attach");
  const token = randomId();
  const processes: FakeProcess<P>[] = [];
  const sockets = new Set<Socket>();
  const waiting: ((process: FakeProcess<P>) => void)[] = [];
  let claimed = 0;
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    const relay = new Relay(socket, token, options.ignoresSignals === true, () => {
      const fake = relay.serve(agent);
      processes.push(fake);
      const next = waiting.shift();
      if (next === undefined) return;
      claimed++;
      next(fake);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(0, "127.0.0.1", resolve);
  });
  // Waiting for a client does not keep a program alive that has nothing else to do.
  server.unref();
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The port of the scripted agent is unknown");
  const relay = fileURLToPath(import.meta.resolve("@acp/testing/relay"));
  const flags = "Deno" in globalThis ? ["run", "--allow-all"] : [];
  const args = [...flags, relay, String(address.port), token];
  const command: AgentCommand<P> = {
    command: process.execPath,
    args,
    line: [process.execPath, ...args].map(quote).join(" "),
    processes,
    started: () =>
      new Promise((resolve) => {
        const next = processes[claimed];
        if (next === undefined) waiting.push(resolve);
        else {
          claimed++;
          resolve(next);
        }
      }),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
    [Symbol.asyncDispose]: () => command.close(),
  };
  return command;
}

function quote(text: string): string {
  return /^[\w./:@%+=,-]+$/u.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** The test's end of a relay: the stdio of a process. */
class Relay implements BytePipe, AgentHost {
  readonly signals: string[] = [];
  readonly inputEnded: Promise<void>;
  readonly ended: Promise<void>;
  #hello: RelayNote = {};
  #sink: BytePipeSink | undefined;
  #endInput: () => void = () => {};
  readonly #settling: ((isAlive: boolean) => void)[] = [];
  readonly #socket: Socket;

  constructor(socket: Socket, token: string, ignoresSignals: boolean, onHello: () => void) {
    this.#socket = socket;
    this.inputEnded = new Promise((resolve) => {
      this.#endInput = resolve;
    });
    this.ended = new Promise((resolve) => {
      socket.on("close", () => {
        this.#end();
        resolve();
      });
    });
    const read = createFrameReader((frame) => {
      if (frame.type === "bytes") this.#sink?.data(frame.bytes);
      else if (frame.type === "end") this.#end();
      else if (frame.note.signal !== undefined) {
        this.signals.push(frame.note.signal);
        if (!ignoresSignals) this.order({ exit: 0 });
      } else if (frame.note.settle !== undefined) this.#settling[frame.note.settle]?.(true);
      else if (frame.note.token !== token) socket.destroy();
      else {
        this.#hello = frame.note;
        onHello();
      }
    });
    socket.on("data", read).on("end", () => socket.end());
  }

  serve<P extends Peer>(agent: AgentPlayer<P>): FakeProcess<P> {
    const { signals, inputEnded, ended } = this;
    const { pid = 0, args = [] } = this.#hello;
    const peer = agent.attach(this, this);
    return {
      pid,
      args,
      peer,
      signals,
      settled: () => this.#settled(),
      inputEnded,
      ended,
      stderr: (text) => this.order({ stderr: text }),
    };
  }

  #settled(): Promise<boolean> {
    const told = new Promise<boolean>((resolve) => this.order({ settle: this.#settling.push(resolve) - 1 }));
    return Promise.race([told, this.ended.then(() => false)]);
  }

  start(sink: BytePipeSink): void {
    this.#sink = sink;
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  write(bytes: Uint8Array): void {
    this.#send(encodeFrame({ type: "bytes", bytes }));
  }

  close(): Promise<void> {
    this.order({ exit: 0 });
    return this.ended;
  }

  crash({ code = 1, signal, stderr }: { code?: number; signal?: string; stderr?: string }): void {
    this.order({ stderr, ...(signal === undefined ? { exit: code } : { signal }) });
  }

  hangUp(): void {
    this.#send(encodeFrame({ type: "end" }));
  }

  order(note: RelayNote): void {
    this.#send(encodeFrame({ type: "note", note }));
  }

  #send(bytes: Uint8Array): void {
    if (!this.#socket.destroyed) this.#socket.write(bytes);
  }

  #end(): void {
    this.#endInput();
    const sink = this.#sink;
    this.#sink = undefined;
    sink?.closed();
  }
}

import { closeSync } from "node:fs";
import process from "node:process";

import type { BytePipe, BytePipeSink } from "@acp/core";
import { requireObject } from "@acp/core/internal";

import type { FakeAgent } from "../agent/fake-agent.ts";
import type { AgentHost } from "../script/step-runner.ts";
import type { CrashOptions } from "../script/steps.ts";

/**
 * Makes this program a scripted agent, over its own stdin and stdout: for a client that starts its agent, where no test runs
 * beside it. Resolves when the client has ended the input, and the script does not stay.
 *
 * ```ts
 * await serveAgent(fakeAgent([say("Hi")]));
 * ```
 */
export async function serveAgent(agent: FakeAgent): Promise<void> {
  requireObject(agent, "serveAgent() takes what fakeAgent() returns", "attach");
  const stdio = new Stdio();
  agent.attach(stdio, stdio);
  await stdio.ended;
  await agent.close();
}

class Stdio implements BytePipe, AgentHost {
  readonly ended: Promise<void>;
  #end: () => void = () => {};
  /** What comes later waits until what came before is written. */
  #written: Promise<unknown> = Promise.resolve();

  #isHungUp = false;

  constructor() {
    this.ended = new Promise((resolve) => {
      // An agent that stays has nothing else that keeps its process alive.
      const staying = setInterval(() => {}, 2 ** 30);
      this.#end = () => {
        clearInterval(staying);
        resolve();
      };
    });
    // The client is gone, or no longer reads.
    process.stdout.on("error", () => this.#end());
  }

  start(sink: BytePipeSink): void {
    process.stdin.on("data", (bytes: Uint8Array) => sink.data(bytes)).on("end", () => sink.closed());
  }

  pause(): void {
    process.stdin.pause();
  }

  resume(): void {
    process.stdin.resume();
  }

  write(bytes: Uint8Array): void {
    if (this.#isHungUp) return;
    this.#then(() => new Promise<void>((resolve) => process.stdout.write(bytes, () => resolve())));
  }

  close(): Promise<void> {
    this.#then(() => this.#end());
    return this.ended;
  }

  crash({ code = 1, signal, stderr = "" }: CrashOptions): void {
    this.#then(() => {
      process.stderr.write(stderr);
      if (signal === undefined) process.exit(code);
      process.kill(process.pid, signal);
    });
  }

  hangUp(): void {
    this.#isHungUp = true;
    // Ending the stream would leave the pipe open.
    this.#then(() => closeSync(1));
  }

  #then(next: () => void | Promise<void>): void {
    this.#written = this.#written.then(next);
  }
}

import { ConnectionClosedError, ErrorCode, RequestError } from "@acp/core";
import { printableLine } from "@acp/render/text";

import { nameProgram } from "../protocol/name-program.ts";
import { unlessAborted, within } from "../protocol/time-limit.ts";
import type { Check } from "./report.ts";

/** Runs one check after the other, each within a time, and keeps what comes out. */
export class CheckRunner {
  readonly checks: Check[] = [];
  readonly #timeout: number;
  readonly #interrupt: AbortSignal;
  readonly #progress: (step: string) => void;
  /** The methods that the agent does not know. */
  readonly #unknown = new Set<string>();

  /** @param interrupt Ends the running check, and all later ones. */
  constructor(timeout: number, interrupt: AbortSignal, progress: (step: string) => void) {
    this.#timeout = timeout;
    this.#interrupt = interrupt;
    this.#progress = progress;
  }

  /**
   * Runs a check that everything else depends on.
   *
   * @throws what it throws.
   */
  async require<Result>(name: string, check: () => Promise<Result>): Promise<Result> {
    const started = performance.now();
    const tell = (status: Check["status"], detail: string | undefined): void =>
      void this.checks.push({ name, status, detail, milliseconds: Math.round(performance.now() - started) });
    this.#progress(name);
    try {
      this.#interrupt.throwIfAborted();
      const result = await unlessAborted(within(this.#timeout, name, check()), this.#interrupt);
      tell("ok", typeof result === "string" ? result : undefined);
      return result;
    } catch (error) {
      tell("failed", inWords(error));
      throw error;
    }
  }

  /**
   * Runs a check; returns `undefined` if it fails. One that has failed is not run again, nor is a method that the agent does
   * not know: each fault is told once.
   *
   * @param excuse Says why a failure need not be a mistake of the agent; `undefined` if it is one.
   * @throws if the agent has ended, and when it is interrupted.
   */
  async run<Result>(
    name: string,
    check: () => Promise<Result>,
    excuse: (error: unknown) => string | undefined = () => undefined,
  ): Promise<Result | undefined> {
    const [method = name] = name.split(" ", 1);
    const isTold = this.checks.some((one) => one.name === name && one.status === "failed");
    if (isTold || this.#unknown.has(method)) return undefined;
    try {
      return await this.require(name, check);
    } catch (error) {
      if (error instanceof ConnectionClosedError || this.#interrupt.aborted) throw error;
      if (isUnknownMethod(error)) this.#unknown.add(method);
      const reason = excuse(error);
      const last = this.checks.pop();
      if (last !== undefined)
        this.checks.push(
          reason === undefined ? last : { ...last, status: "unclear", detail: `${last.detail}; ${reason}` },
        );
      return undefined;
    }
  }
}

/** Whether the agent says that it does not know the method. */
function isUnknownMethod(error: unknown): boolean {
  return error instanceof RequestError && error.wire.code === ErrorCode.methodNotFound;
}

/** An error in one line: with its data, which say the most where an agent has no words for it. */
export function inWords(error: unknown): string {
  if (!(error instanceof Error)) return printableLine(String(error));
  if (!(error instanceof RequestError)) return printableLine(nameProgram(error).split("\n")[0] ?? "");
  const { data } = error.wire;
  const words = data === undefined ? "" : ` ${JSON.stringify(data).slice(0, 300)}`;
  return printableLine(error.message + words);
}

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import type { CaseReport } from "./interop-case.ts";

/** One run of a program that prints a report for each row; tests wait for the line they are about. */
export class PairingRun {
  readonly #reports = new Map<string, CaseReport>();
  readonly #waiting = new Map<string, (report: CaseReport) => void>();
  readonly #program: string;
  readonly #args: readonly string[];
  /** Settles with what is to be said of rows without a report. */
  #ended: Promise<string> = Promise.resolve("Not started");

  constructor(program: string, args: readonly string[]) {
    this.#program = fileURLToPath(new URL(`programs/${program}.ts`, import.meta.url));
    this.#args = args;
  }

  /** Starts the program, with the packages as built. */
  start(): void {
    const child = spawn(process.execPath, [this.#program, ...this.#args], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    let stderr = "";
    child.stderr.on("data", (chunk: Buffer) => {
      stderr = (stderr + chunk.toString()).slice(-10_000);
    });
    this.#ended = new Promise((resolve) => {
      child.on("close", (code, signal) => resolve(`Ended with ${code ?? signal} before this row\n${stderr}`));
    });
    createInterface({ input: child.stdout }).on("line", (line) => this.#arrived(JSON.parse(line) as CaseReport));
  }

  /** The report of a row, as soon as it is there. */
  report(name: string): Promise<CaseReport> {
    const known = this.#reports.get(name);
    if (known !== undefined) return Promise.resolve(known);
    const arrived = new Promise<CaseReport>((resolve) => this.#waiting.set(name, resolve));
    const missing = this.#ended.then(
      (error) => this.#reports.get(name) ?? { name, ok: false, error, milliseconds: 0, methods: [] },
    );
    return Promise.race([arrived, missing]);
  }

  /** Every method that went over the wire in rows that passed. Waits for the end. */
  async methods(): Promise<ReadonlySet<string>> {
    await this.#ended;
    return new Set([...this.#reports.values()].flatMap(({ methods }) => methods));
  }

  #arrived(report: CaseReport): void {
    this.#reports.set(report.name, report);
    this.#waiting.get(report.name)?.(report);
  }
}

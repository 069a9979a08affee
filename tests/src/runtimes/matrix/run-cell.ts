import { spawn } from "node:child_process";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import { commandOn, type RuntimeName } from "../../support/runtimes.ts";
import { isFor, type Scenario, type ScenarioOutcome, type System } from "../scenario.ts";

const program = fileURLToPath(new URL("../run-scenarios.js", import.meta.url));

/** A suite on a runtime, with its programs on the same or another. */
export interface Cell {
  readonly suite: string;
  readonly runtime: RuntimeName;
  readonly programs: RuntimeName;
}

/** What became of it. */
export interface CellResult {
  readonly cell: Cell;
  /** The names of the scenarios that passed. */
  readonly passed: readonly string[];
  /** What failed, and how; empty if all is well. */
  readonly failures: readonly { readonly name: string; readonly error: string }[];
}

/** A way to run the suite of a cell. */
export interface CellRunner {
  /** Which scenarios there are. */
  readonly systems: readonly System[];
  /** Runs it. Calls `arrived` with every line of its stdout, and resolves with what to say of what did not arrive. */
  run(cell: Cell, arrived: (line: string) => void): Promise<string>;
}

/** As a process of this system. */
export const runHere: CellRunner = { systems: process.platform === "win32" ? ["windows"] : [], run };

/** Runs the scenarios of a cell on its runtime. Never rejects. */
export async function runCell(cell: Cell, scenarios: readonly Scenario[], runner: CellRunner): Promise<CellResult> {
  const expected = scenarios.filter((each) => isFor(each, cell.programs, runner.systems)).map(({ name }) => name);
  const outcomes = new Map<string, ScenarioOutcome>();
  let ending: string;
  try {
    ending = await runner.run(cell, (line) => {
      const outcome = parse(line);
      if (outcome !== undefined) outcomes.set(outcome.name, outcome);
    });
  } catch (error) {
    ending = error instanceof Error ? error.message : String(error);
    return { cell, passed: [], failures: [{ name: "(start)", error: ending }] };
  }
  const failures = expected.flatMap((name) => {
    const outcome = outcomes.get(name);
    if (outcome?.ok === true) return [];
    return [{ name, error: outcome?.error ?? ending }];
  });
  return { cell, passed: expected.filter((name) => outcomes.get(name)?.ok === true), failures };
}

async function run({ suite, runtime, programs }: Cell, arrived: (line: string) => void): Promise<string> {
  const options = ["--runtime", runtime, "--suite", suite, "--programs", programs];
  const { command, args } = commandOn(runtime, program, options);
  commandOn(programs, program, []);
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => (stderr = (stderr + chunk.toString()).slice(-10_000)));
  const ended = new Promise<string>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve(`Ended with ${code ?? signal} before this scenario\n${stderr}`));
  });
  // It is awaited below, which is too late for a start that fails.
  ended.catch(() => {});
  for await (const line of createInterface({ input: child.stdout })) arrived(line);
  return ended;
}

function parse(line: string): ScenarioOutcome | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isOutcome(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isOutcome(value: unknown): value is ScenarioOutcome {
  return typeof value === "object" && value !== null && "name" in value && "ok" in value;
}

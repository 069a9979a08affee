import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import { describe, expect, test } from "vitest";

import { commandOn, type RuntimeName } from "./runtimes.ts";
import type { Scenario, ScenarioOutcome } from "./scenario.ts";

/** Registers one test per scenario of a suite and runtime; the scenarios run on the built packages. */
export function describeScenarios(
  suite: string,
  scenarios: readonly Scenario[],
  runtimes: readonly RuntimeName[],
): void {
  describe.each(runtimes)(`${suite} on %s`, (runtime) => {
    const run = new SuiteRun(suite, runtime);
    test.each(scenarios.map(({ name }) => name))("%s", { timeout: 120_000 }, async (name) => {
      expect(await run.outcome(name)).toEqual({ name, ok: true });
    });
  });
}

/** One run of the program, whose lines the tests wait for. */
class SuiteRun {
  readonly #suite: string;
  readonly #runtime: RuntimeName;
  readonly #outcomes = new Map<string, ScenarioOutcome>();
  readonly #waiting = new Map<string, (outcome: ScenarioOutcome) => void>();
  #ended: Promise<string> | undefined;

  constructor(suite: string, runtime: RuntimeName) {
    this.#suite = suite;
    this.#runtime = runtime;
  }

  async outcome(name: string): Promise<ScenarioOutcome> {
    this.#ended ??= this.#start();
    const known = this.#outcomes.get(name);
    if (known !== undefined) return known;
    const arrived = new Promise<ScenarioOutcome>((resolve) => this.#waiting.set(name, resolve));
    return Promise.race([arrived, this.#ended.then((error) => this.#outcomes.get(name) ?? { name, ok: false, error })]);
  }

  async #start(): Promise<string> {
    const program = fileURLToPath(new URL("../../dist/scenarios/run-scenarios.js", import.meta.url));
    if (!existsSync(program)) return "The scenarios are not built: run the build first";
    const { command, args } = commandOn(this.#runtime, program, ["--runtime", this.#runtime, "--suite", this.#suite]);
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
    let stderr = "";
    child.stderr.on("data", (chunk: Buffer) => (stderr = (stderr + chunk.toString()).slice(-10_000)));
    const exited = new Promise<string>((resolve) => {
      child.on("close", (code, signal) => resolve(`Ended with ${code ?? signal} before this scenario\n${stderr}`));
    });
    for await (const line of createInterface({ input: child.stdout })) this.#arrived(parse(line));
    return exited;
  }

  #arrived(outcome: ScenarioOutcome | undefined): void {
    if (outcome === undefined) return;
    this.#outcomes.set(outcome.name, outcome);
    this.#waiting.get(outcome.name)?.(outcome);
  }
}

function parse(line: string): ScenarioOutcome | undefined {
  const value: unknown = JSON.parse(line);
  return isOutcome(value) ? value : undefined;
}

function isOutcome(value: unknown): value is ScenarioOutcome {
  return typeof value === "object" && value !== null && "name" in value && "ok" in value;
}

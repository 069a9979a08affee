import type * as runtimePackage from "#runtime";

import type { RuntimeName } from "../support/runtimes.ts";

/** A system that differs from Linux. `wine` is `windows`, too. */
export type System = "windows" | "wine";

/** Whether a scenario is for a runtime on a system. */
export function isFor({ except = [], only }: Scenario, runtime: RuntimeName, systems: readonly System[]): boolean {
  if (only !== undefined && !systems.includes(only)) return false;
  return !except.some((each) => each === runtime || systems.some((system) => system === each));
}

/** What every runtime package offers alike. */
export type RuntimePackage = Pick<
  typeof runtimePackage,
  "fileSystem" | "permissionPolicy" | "serveStdio" | "spawnAgent" | "spawnTransport" | "superviseAgent" | "terminals"
>;

/** Something that has to hold on every runtime. */
export interface Scenario {
  readonly name: string;
  /** Runtimes and systems that lack what it is about. */
  readonly except?: readonly (RuntimeName | System)[];
  /** The system that it is about. */
  readonly only?: System;
  /** Fails by throwing. */
  run(context: ScenarioContext): Promise<void>;
}

type Run = Scenario["run"];
type Where = Pick<Scenario, "except" | "only">;

/** A scenario, written like a test: with where it holds, unless that is on every runtime. */
export function test(name: string, ...rest: readonly [run: Run] | readonly [where: Where, run: Run]): Scenario {
  const [where, run] = rest.length === 1 ? [{}, ...rest] : rest;
  return { name, ...where, run };
}

export interface ScenarioContext {
  readonly runtime: RuntimePackage;
  /** Where the programs of the scenario run: on the same runtime, unless runtimes are tested against each other. */
  readonly runtimeName: RuntimeName;
  /** An empty directory of the scenario's own, without links in its path; removed afterwards. */
  readonly directory: string;
  /** For a scenario of many steps: its time limit begins anew. */
  progress(): void;
}

/** One line of what `run-scenarios.ts` prints. */
export interface ScenarioOutcome {
  readonly name: string;
  readonly ok: boolean;
  readonly error?: string;
}

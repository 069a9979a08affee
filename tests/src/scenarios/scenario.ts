import type * as runtimePackage from "#runtime";

import type { RuntimeName } from "./runtimes.ts";

/** What every runtime package offers alike. */
export type RuntimePackage = Pick<
  typeof runtimePackage,
  "fileSystem" | "serveStdio" | "spawnAgent" | "spawnTransport" | "terminals"
>;

/** Something that has to hold on every runtime. */
export interface Scenario {
  readonly name: string;
  /** Runtimes that lack what it is about. */
  readonly except?: readonly RuntimeName[];
  /** Fails by throwing. */
  run(context: ScenarioContext): Promise<void>;
}

export interface ScenarioContext {
  readonly runtime: RuntimePackage;
  /** Where the programs of the scenario run: on the same runtime, unless runtimes are tested against each other. */
  readonly runtimeName: RuntimeName;
  /** An empty directory of the scenario's own, without links in its path; removed afterwards. */
  readonly directory: string;
}

/** One line of what `run-scenarios.ts` prints. */
export interface ScenarioOutcome {
  readonly name: string;
  readonly ok: boolean;
  readonly error?: string;
}

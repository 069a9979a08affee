import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** What came of one test. A `gap` is a test that is expected to fail, and does. */
export interface Evidence {
  /** Of the test, from the root of the repository. */
  readonly file: string;
  /** Of the test, with all that it is nested in. */
  readonly name: string;
  readonly state: "passed" | "failed" | "skipped" | "gap";
}

/** Who ran tests: Vitest, or the runtime matrix its scenarios. */
export type Runner = "vitest" | "scenarios";

/** The root of the repository, with a slash. */
export const root: string = fileURLToPath(new URL("../../../../", import.meta.url));

const directory = `${root}node_modules/.cache/conformance/`;

/** Where a runner leaves what came of its tests. */
function evidenceFile(runner: Runner): string {
  return `${directory}${runner}.json`;
}

/** Before a run, so that nobody takes what an earlier one has left for its outcome. */
export function forgetEvidence(runner: Runner): void {
  rmSync(evidenceFile(runner), { force: true });
}

export function writeEvidence(runner: Runner, evidence: readonly Evidence[]): void {
  mkdirSync(directory, { recursive: true });
  writeFileSync(evidenceFile(runner), JSON.stringify(evidence));
}

/** What the last run has left, unless it did not come to its end. */
export function readEvidence(runner: Runner): readonly Evidence[] | undefined {
  const file = evidenceFile(runner);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as readonly Evidence[]) : undefined;
}

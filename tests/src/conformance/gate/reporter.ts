import { relative, sep } from "node:path";

import type { Reporter, TestCase, TestModule } from "vitest/node";

import { type Evidence, forgetEvidence, root, writeEvidence } from "./evidence.ts";

/** A reporter for Vitest that leaves what came of each test for the conformance report. */
export default class EvidenceReporter implements Reporter {
  onTestRunStart(): void {
    forgetEvidence("vitest");
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    writeEvidence(
      "vitest",
      modules.flatMap(({ children }) => [...children.allTests()].map(evidenceOf)),
    );
  }
}

function evidenceOf(test: TestCase): Evidence {
  const { state } = test.result();
  const file = relative(root, test.module.moduleId).replaceAll(sep, "/");
  if (state === "passed") return { file, name: test.fullName, state: test.options.fails === true ? "gap" : "passed" };
  return { file, name: test.fullName, state: state === "failed" ? "failed" : "skipped" };
}

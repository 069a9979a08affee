import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";

import { defineConfig, type TestProjectConfiguration } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const conditions = ["@acp/source"];

/** A test that is still running after this long hangs, also on a machine that is busy with other work. */
const hangs = 300_000;

/** Programs that tests start again and again compile their modules once. */
const env = { NODE_COMPILE_CACHE: fileURLToPath(new URL("node_modules/.cache/compile", import.meta.url)) };

/** Tests that count timers, which a test of another file may have left behind. */
const clocks = [
  "apps/client/src/protocol/until-quiet.test.ts",
  "packages/core/src/transport/web-stream-pipe.test.ts",
  "packages/core/test/cancelling/unstable-{agent-,}cancel.test.ts",
  "packages/core/test/limits/stalled-turns.test.ts",
  "packages/host/src/agent/start-limit.test.ts",
  "packages/host/src/login/terminal-login.test.ts",
  "packages/host/src/streams/web-streams.test.ts",
  "packages/host/src/within.test.ts",
];

/** Needs the network to install its agents. */
const agents = "tests/src/interop/agents/agents.test.ts";

/** Tests that `npm test` runs with fewer cases, kills or runtimes. */
const thorough = [
  "codegen/src/cli/scale.test.ts",
  "codegen/src/{testing/random-schema,emit/validators/simplify}.test.ts",
  "packages/core/test/cancelling/unstable-{agent-,}cancel.test.ts",
  "packages/hub/test/journal/file-lists.test.ts",
  "packages/hub/test/simulation/simulation.test.ts",
  "tests/src/apps/{agents-runtimes,lying-agent}.test.ts",
  "tests/src/check/our-{agent,client}.test.ts",
  "tests/src/hub/failures.test.ts",
  "tests/src/runtimes/{agent-tools,coding-agent,hub-journal,model-turn,stored-sessions}.test.ts",
  "tests/src/sessions/killed-writer.test.ts",
];

/** Small files that take minutes: at the end of a run, each would keep a single core busy. */
const long = /\/(?:our-client|our-agent|robustness|late-updates|sound-client|simulation|failures)\.test\.ts$/u;

/** Larger files come first, as Vitest has it, behind those that take long. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- this one is Vitest's, not an array's.
    const bySize = await super.sort(files);
    return [true, false].flatMap((isLong) => bySize.filter(({ moduleId }) => long.test(moduleId) === isLong));
  }
}

/** Runs the package for `ai` with version 6 of it. */
const ai6 = "packages/ai/test/ai-6/*.test.ts";

interface More {
  readonly alias?: Record<string, string>;
  readonly isolate?: boolean;
  readonly exclude?: string[];
  readonly env?: Record<string, string>;
}

function project(name: string, include: string[], more: More = {}): TestProjectConfiguration {
  return {
    resolve: { conditions },
    ssr: { resolve: { conditions } },
    test: {
      name,
      include,
      // The files of a worker share the modules that they import. Each of them leaves the globals as it found them.
      isolate: false,
      ...more,
      testTimeout: hangs,
      hookTimeout: hangs,
      // Sooner than that of the test, to tell what did not come.
      expect: { poll: { timeout: hangs - 30_000, interval: 10 } },
    },
  };
}

export default defineConfig({
  test: {
    // The compiled validators are not in the repository; tests of several packages import them.
    globalSetup: "packages/validators/scripts/generate.ts",
    sequence: { sequencer: LongFirst },
    // Most tests wait for processes and timers.
    maxWorkers: Math.max(4, 2 * availableParallelism()),
    projects: [
      project("packages", ["{codegen,packages/*,apps/*}/{src,test}/**/*.test.ts", "bench/src/*/**/*.test.ts"], {
        // Without the first one, looking for the files takes a minute.
        exclude: ["**/node_modules/**", ...clocks, ai6],
      }),
      project("clocks", clocks, { isolate: true }),
      project("ai-6", [ai6], { isolate: true, alias: { ai: "ai-6" } }),
      project("programs", ["tests/src/**/*.test.ts", "examples/*.test.ts"], {
        exclude: ["tests/src/release/**", agents],
        env,
      }),
      // Real agents: `npm run interop:agents`.
      project("agents", [agents]),
      // What a release needs beyond that: `npm run test:release`.
      project("thorough", thorough, { isolate: true, env: { ...env, THOROUGH: "1" } }),
      project("release", ["tests/src/release/**/*.test.ts", "bench/src/*.test.ts"]),
    ],
  },
});

import { availableParallelism } from "node:os";

import { defineConfig, type TestProjectConfiguration } from "vitest/config";

const conditions = ["@acp/source"];

/** A test that is still running after this long hangs, also on a machine that is busy with other work. */
const hangs = 300_000;

function project(name: string, include: string[], more: { exclude?: string[] } = {}): TestProjectConfiguration {
  return {
    resolve: { conditions },
    ssr: { resolve: { conditions } },
    test: {
      name,
      include,
      ...more,
      // The files of a worker share the modules that they import. Each of them leaves the globals as it found them.
      isolate: false,
      testTimeout: hangs,
      hookTimeout: hangs,
      // Sooner than that of the test, to tell what did not come.
      expect: { poll: { timeout: hangs - 30_000 } },
    },
  };
}

export default defineConfig({
  test: {
    // The compiled validators are not in the repository; tests of several packages import them.
    globalSetup: "packages/validators/scripts/generate.ts",
    // Most tests wait for processes and timers.
    maxWorkers: Math.max(4, 2 * availableParallelism()),
    projects: [
      project("packages", ["{codegen,packages/*,apps/*}/{src,test}/**/*.test.ts"]),
      project("programs", ["tests/src/**/*.test.ts", "examples/*.test.ts"], { exclude: ["tests/src/release/**"] }),
      // What a release needs beyond that: `npm run test:release`.
      project("release", ["tests/src/release/**/*.test.ts", "bench/src/*.test.ts"]),
    ],
  },
});

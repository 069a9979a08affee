import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { conditions: ["@acp/source"] },
  ssr: { resolve: { conditions: ["@acp/source"] } },
  test: {
    include: [
      "{bench,codegen,packages/*,apps/*}/{src,test}/**/*.test.ts",
      "tests/src/**/*.test.ts",
      "examples/*.test.ts",
    ],
    // The compiled validators are not in the repository; tests of several packages import them.
    globalSetup: "packages/validators/scripts/generate.ts",
    // Reached only by what hangs, also where other programs want the processor: a test may take ten times as long there.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
  },
});

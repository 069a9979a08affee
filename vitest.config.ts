import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { conditions: ["@acp/source"] },
  ssr: { resolve: { conditions: ["@acp/source"] } },
  test: {
    include: ["{bench,codegen,packages/*,apps/*}/src/**/*.test.ts", "tests/src/**/*.test.ts", "examples/*.test.ts"],
    // The compiled validators are not in the repository; tests of several packages import them.
    globalSetup: "packages/validators/scripts/generate.ts",
    testTimeout: 20_000,
  },
});

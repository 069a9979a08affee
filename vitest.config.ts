import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { conditions: ["@acp/source"] },
  ssr: { resolve: { conditions: ["@acp/source"] } },
  test: {
    include: ["{codegen,packages/*,apps/*}/src/**/*.test.ts", "tests/src/**/*.test.ts"],
    testTimeout: 20_000,
  },
});

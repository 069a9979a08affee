/** A page of each kind, without `.html`: for pictures of them, and for the checks of how they look. */
export const kinds: readonly string[] = [
  "index",
  "guide/introduction",
  "guide/troubleshooting",
  "guide/your-first-agent",
  "protocol/v1/methods",
  "protocol/v1/errors",
  "protocol/rules/perm",
  "packages/core",
  "packages/cli",
  "packages/api/core-sessions",
  "project/check-matrix",
  "project/benchmarks",
  "playground",
];

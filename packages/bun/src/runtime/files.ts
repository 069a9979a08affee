import { createNodeFiles, type RuntimeFiles } from "@acp/host";

/** Files, by `node:fs/promises`: Bun has no functions of its own for most of it. Loaded with the first access. */
export const bunFiles: RuntimeFiles = /* @__PURE__ */ createNodeFiles({
  load: () => import("node:fs/promises"),
  isLinux: () => process.platform === "linux",
});

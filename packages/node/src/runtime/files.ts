import { createNodeFiles, type RuntimeFiles } from "@acp/host";

/** Files, by `node:fs/promises`, which is loaded with the first access: agents that only serve need none. */
export const nodeFiles: RuntimeFiles = /* @__PURE__ */ createNodeFiles({
  // Without `import` if there is another way, as the modules for processes are loaded.
  load: async () => process.getBuiltinModule?.("node:fs/promises") ?? import("node:fs/promises"),
  isLinux: () => process.platform === "linux",
  // Only there with `--permission`.
  mayRead: (path) => process.permission?.has("fs.read", path) ?? true,
});

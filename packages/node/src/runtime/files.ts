import { createNodeFiles, type RuntimeFiles } from "@acp/host";

import { loadProcessModules } from "./process-modules.ts";

/** Files, by `node:fs/promises`, which is loaded with the first access: agents that only serve need none. */
export const nodeFiles: RuntimeFiles = /* @__PURE__ */ createNodeFiles({
  // Without `import` if there is another way, as the modules for processes are loaded.
  load: async () => process.getBuiltinModule?.("node:fs/promises") ?? import("node:fs/promises"),
  isLinux: () => process.platform === "linux",
  // Only there with `--permission`.
  mayRead: (path) => process.permission?.has("fs.read", path) ?? true,
  succeeds,
});

async function succeeds(program: string, args: readonly string[]): Promise<boolean> {
  const { spawn } = await loadProcessModules();
  return new Promise((resolve) => {
    try {
      const child = spawn(program, args, { stdio: "ignore", cwd: "/", env: { PATH: process.env["PATH"] } });
      child.on("error", () => resolve(false));
      child.on("exit", (code) => resolve(code === 0));
    } catch {
      // `--permission` without `--allow-child-process`.
      resolve(false);
    }
  });
}

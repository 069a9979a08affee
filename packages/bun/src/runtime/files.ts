import { createNodeFiles, type RuntimeFiles } from "@acp/host";

/** Files, by `node:fs/promises`: Bun has no functions of its own for most of it. Loaded with the first access. */
export const bunFiles: RuntimeFiles = /* @__PURE__ */ createNodeFiles({
  load: () => import("node:fs/promises"),
  isLinux: () => process.platform === "linux",
  succeeds,
});

async function succeeds(program: string, args: readonly string[]): Promise<boolean> {
  try {
    const child = Bun.spawn([program, ...args], {
      stdio: ["ignore", "ignore", "ignore"],
      cwd: "/",
      env: { PATH: Bun.env["PATH"] },
    });
    return (await child.exited) === 0;
  } catch {
    // There is no such program, or no room for another process.
    return false;
  }
}

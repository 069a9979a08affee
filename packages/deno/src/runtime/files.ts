import { createNodeFiles, type RuntimeFiles } from "@acp/host";

import { nodeProcess } from "../stdio/node-process.ts";
import { os } from "./os.ts";
import { withCode } from "./system-errors.ts";

/** Files, by `node:fs/promises`: Deno's own functions do not open a file without following links. */
export const denoFiles: RuntimeFiles = /* @__PURE__ */ createNodeFiles({
  load: async () => nodeProcess().getBuiltinModule("node:fs/promises"),
  isLinux: () => os === "linux",
  mayRead: (path) => Deno.permissions.querySync({ name: "read", path }).state === "granted",
  // Those of the module do not tell names that are not UTF-8 from others.
  paths: { realPath: (path) => Deno.realPath(path), readLink: (path) => Deno.readLink(path) },
  succeeds,
  withCode,
});

async function succeeds(program: string, args: readonly string[]): Promise<boolean> {
  // Deno would ask its user.
  if (Deno.permissions.querySync({ name: "run", command: program }).state !== "granted") return false;
  try {
    const streams = { stdin: "null", stdout: "null", stderr: "null" } as const;
    return (await new Deno.Command(program, { args: [...args], cwd: "/", ...streams }).output()).success;
  } catch {
    // There is no such program, or no room for another process.
    return false;
  }
}

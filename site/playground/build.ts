// Makes one script of the playground's frame, with the packages in it: the page puts it into the frame as text.
import { build } from "esbuild";
import { fileURLToPath } from "node:url";

/** Writes the script to a file. */
export async function buildFrame(file: URL): Promise<void> {
  const core = new URL("../../packages/core/dist/", import.meta.url);
  const path = (name: string): string => fileURLToPath(new URL(name, core));
  await build({
    entryPoints: [fileURLToPath(new URL("frame.ts", import.meta.url))],
    outfile: fileURLToPath(file),
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    alias: { "@acp/core/agent": path("agent.js"), "@acp/core/state": path("state.js"), "@acp/core": path("index.js") },
    logLevel: "warning",
  });
}

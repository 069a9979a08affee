import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { build } from "esbuild";

import type * as harness from "./harness.ts";

export type Harness = typeof harness;

interface Flavour {
  readonly name: string;
  readonly alias: Readonly<Record<string, string>>;
}

const folder = fileURLToPath(new URL("../..", import.meta.url));

/** The libraries that the hooks run on. */
export const flavours: readonly Flavour[] = [
  { name: "React 19", alias: {} },
  { name: "React 18", alias: { react: "react-18", "react-dom": "react-dom-18" } },
  {
    name: "Preact 11",
    alias: {
      react: "preact/compat",
      "react-dom": "preact/compat",
      "react-dom/client": "preact/compat/client",
      "react-dom/server": "preact-render-to-string",
    },
  },
];

/** Loads the hooks with one of them. Its bundle has everything in it, core too. */
export async function loadHarness({ alias }: Flavour): Promise<Harness> {
  const directory = mkdtempSync(join(folder, "node_modules/.harness-"));
  const outfile = join(directory, "harness.mjs");
  try {
    await build({
      entryPoints: [fileURLToPath(new URL("harness.ts", import.meta.url))],
      absWorkingDir: folder,
      outfile,
      bundle: true,
      format: "esm",
      platform: "browser",
      conditions: ["@acp/source", "browser"],
      define: { "process.env.NODE_ENV": '"development"' },
      alias: Object.fromEntries(Object.entries(alias).toSorted(([one], [other]) => other.length - one.length)),
      logLevel: "warning",
    });
    return (await import(/* @vite-ignore */ pathToFileURL(outfile).href)) as Harness;
  } finally {
    rmSync(directory, { recursive: true });
  }
}

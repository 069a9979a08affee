// `copy-page.mjs`: puts the page that `@acp/web` has built into the program in the working directory.
import { cpSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";

const manifest = createRequire(resolve("package.json")).resolve("@acp/web/package.json");
cpSync(join(dirname(manifest), "dist"), "dist/web", { recursive: true });

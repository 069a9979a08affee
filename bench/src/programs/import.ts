/** `import <module>…`: prints how long the imports take, in milliseconds; of none, how long this program has run. */
import process from "node:process";

const modules: Readonly<Record<string, () => Promise<unknown>>> = {
  core: () => import("@acp/core"),
  runtime: () => import("#runtime"),
  official: () => import("@agentclientprotocol/sdk"),
};
const start = performance.now();
for (const name of process.argv.slice(2)) await modules[name]?.();
const time = performance.now() - start;
// Not before: to make `process.stdout` takes some milliseconds, and it is made before what is written to it.
process.stdout.write(`${time}\n`);

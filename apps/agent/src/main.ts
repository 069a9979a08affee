#!/usr/bin/env node
// The guard of the current runtime keeps stdout free for messages. It comes first: modules below may print while they load.
// oxlint-disable-next-line import/no-unassigned-import
import "#runtime/guard";

// One before 20 fails later, at a function that it lacks. Deno and Bun have a version of Node.js as well.
if (Number.parseInt(process.versions.node, 10) < 20) {
  console.error(`acp-agent needs Node.js 22 or newer, this is Node.js ${process.versions.node}`);
  process.exit(1);
}

const { runProgram } = await import("./program/run-program.ts");
process.exitCode = await runProgram(process.argv.slice(2));

#!/usr/bin/env node
// An older one fails later, at a function that it lacks.
if (Number.parseInt(process.versions.node, 10) < 20) {
  process.stderr.write(`acp-inspect needs Node.js 20 or newer, this is Node.js ${process.versions.node}\n`);
  process.exit(1);
}

const { runProgram } = await import("./run-program.ts");
const exitCode = await runProgram(process.argv.slice(2), "acp-inspect");
// Do not wait for a log or a stdout that nobody reads.
process.exit(exitCode);

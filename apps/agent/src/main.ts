#!/usr/bin/env node
// The guard of the current runtime keeps stdout free for messages. It comes first: modules below may print while they load.
// oxlint-disable-next-line import/no-unassigned-import
import "#runtime/guard";

const { runProgram } = await import("./program/run-program.ts");
process.exitCode = await runProgram(process.argv.slice(2));

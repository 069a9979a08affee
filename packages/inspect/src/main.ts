#!/usr/bin/env node
import { runProgram } from "./run-program.ts";

const exitCode = await runProgram(process.argv.slice(2), "acp-inspect");
// Do not wait for a log or a stdout that nobody reads.
process.exit(exitCode);

#!/usr/bin/env node
import { run } from "./cli/run.ts";

process.exitCode = await run(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  error: (text) => process.stderr.write(text),
});

#!/usr/bin/env node
import { readFileSync } from "node:fs";
import process from "node:process";

// Deno and Bun have a version of Node.js as well.
if (Number.parseInt(process.versions.node, 10) < 22) {
  process.stderr.write(`create-acp-agent needs Node.js 22 or newer, this is Node.js ${process.versions.node}\n`);
  process.exit(1);
}

const { runProgram } = await import("./program/run-program.ts");
const manifest: { readonly version: string } = JSON.parse(
  readFileSync(new URL("../package.json", import.meta.url), "utf8"),
);
process.exitCode = await runProgram(process.argv.slice(2), manifest.version);

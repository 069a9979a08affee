#!/usr/bin/env node
import module from "node:module";
import { join } from "node:path";

import { foldersOf } from "./agents/folders.ts";

// One before 20 fails later, at a function that it lacks. Deno and Bun have a version of Node.js as well.
if (Number.parseInt(process.versions.node, 10) < 20) {
  console.error(`acp needs Node.js 22 or newer, this is Node.js ${process.versions.node}`);
  process.exit(1);
}

// Before anything large is loaded: the next start need not compile it. Runtimes without such a cache need none.
module.enableCompileCache?.(join(foldersOf(process.env).cache, "compiled"));

// Without waiting for it: Bun goes on after an exception that nobody catches for as long as there is an `await` here.
void import("./program.ts")
  .then(({ runProgram }) => runProgram(process.argv.slice(2)))
  .then((code) => {
    process.exitCode = code;
  });

#!/usr/bin/env node
import module from "node:module";
import { join } from "node:path";

import { foldersOf } from "./agents/folders.ts";

// Before anything large is loaded: the next start need not compile it. Runtimes without such a cache need none.
module.enableCompileCache?.(join(foldersOf(process.env).cache, "compiled"));

// Without waiting for it: Bun goes on after an exception that nobody catches for as long as there is an `await` here.
void import("./program.ts")
  .then(({ runProgram }) => runProgram(process.argv.slice(2)))
  .then((code) => {
    process.exitCode = code;
  });

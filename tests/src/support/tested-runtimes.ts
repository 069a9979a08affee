import process from "node:process";

import { type RuntimeName, runtimeNames } from "./runtimes.ts";

/** Those that a test of a whole program runs on: the oldest Node, Deno and Bun; all of them before a release. */
export const testedRuntimes: readonly RuntimeName[] =
  process.env["THOROUGH"] === undefined ? ["node20", "deno", "bun"] : runtimeNames;

/** The same for programs with a model, which need Node 22. */
export const modelRuntimes: readonly RuntimeName[] =
  process.env["THOROUGH"] === undefined ? ["node22", "deno", "bun"] : runtimeNames.filter((name) => name !== "node20");

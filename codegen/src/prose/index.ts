export { mergeProse, type MergedProse, type ProseOptions } from "./merge-prose.ts";
export { type Entry, parseProse, type Section } from "./parse-prose.ts";

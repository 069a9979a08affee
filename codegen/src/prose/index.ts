export { mergeProse, type MergedProse, type ProseOptions } from "./merge-prose.ts";

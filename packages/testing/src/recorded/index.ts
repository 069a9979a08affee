/**
 * Recorded sessions as scripts: what `acp record` and `@acp/record` have written, played again.
 *
 * @module
 */
export { recordedPrompts, type Recording } from "./recorded-prompts.ts";
export { recordedScript, type RecordedScriptOptions } from "./recorded-script.ts";

/**
 * Questions to the user, for both sides: checks the answer to a form against its schema, fills in defaults, and
 * inspects a URL before the user opens it.
 *
 * @module
 */
export * from "./form.ts";
export * from "./inspect-url.ts";
export * from "./lint-form.ts";
export { compilePattern, type Pattern } from "./pattern/pattern.ts";
export * from "./questions.ts";

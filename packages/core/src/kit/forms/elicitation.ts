/**
 * Questions to the user, for both sides: check the answer to a form against its schema, fill in
 * defaults, inspect a URL before anybody opens it.
 *
 * @module
 */
export * from "./form.ts";
export * from "./inspect-url.ts";
export * from "./lint-form.ts";
export { compilePattern, type Pattern } from "./pattern/pattern.ts";
export * from "./questions.ts";

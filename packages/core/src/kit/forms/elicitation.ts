/**
 * Questions to the user, for both sides: checks the answer to a form against its schema, fills in
 * defaults, looks at a URL before anybody opens it.
 *
 * @module
 */
export { elicitation, type ElicitationAnswer, type ElicitationHandlers, type Questions } from "./questions.ts";
export type { FilledForm, FormQuestion, QuestionContext, UrlQuestion } from "./questions.ts";
export { FormContentError } from "./form-content-error.ts";
export { checkForm, formDefaults, type FormProblem, type ValidateFormOptions, validateForm } from "./form.ts";
export { lintForm } from "./lint-form.ts";
export type { ReceivedForm, ReceivedQuestion } from "./received-form.ts";
export { type Pattern, compilePattern } from "./pattern/pattern.ts";
export { inspectUrl, type UrlReport, type UrlWarning, type UrlWarningKind } from "./inspect-url.ts";

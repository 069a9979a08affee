/**
 * Questions to the user, for both sides: check the answer to a form against its schema, fill in
 * defaults, inspect a URL before anybody opens it.
 *
 * @module
 */
export {
  elicitation,
  type ElicitationAnswer,
  type ElicitationHandlers,
  type FilledForm,
  FormContentError,
  type FormQuestion,
  type QuestionContext,
  type Questions,
  type ReceivedQuestion,
  type UrlQuestion,
} from "./questions.ts";
export {
  checkForm,
  formDefaults,
  type FormProblem,
  type ReceivedForm,
  validateForm,
  type ValidateFormOptions,
} from "./form.ts";
export { inspectUrl, type UrlReport, type UrlWarning, type UrlWarningKind } from "./inspect-url.ts";
export { lintForm } from "./lint-form.ts";
export { type Pattern, compilePattern } from "./pattern/pattern.ts";

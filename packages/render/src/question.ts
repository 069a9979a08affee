/**
 * The lines of a question for permission, complete, and without the secrets in variables.
 *
 * @module
 */
export {
  type FlatLine,
  flatLines,
  maskedVariable,
  type PermissionLine,
  permissionLines,
} from "./question/question-lines.ts";
export { answerLine, optionRows, questionRows } from "./question/question.ts";

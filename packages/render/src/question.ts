/**
 * The lines of a question for permission, complete, and without the secrets in variables; and the fields of a form.
 *
 * @module
 */
export {
  canShow,
  choicesOf,
  displayValue,
  type FieldChoice,
  type FormField,
  hintOf,
  labelOf,
  reasonOf,
  valueOf,
} from "./question/form-field.ts";
export {
  type FlatLine,
  flatLines,
  type PermissionLine,
  permissionLines,
  permissionLinesWith,
} from "./question/question-lines.ts";
export { answerLine, optionRows, questionRows } from "./question/question.ts";

import { formatIssue } from "@acp/schema";
import { AcpError } from "../../base/errors.ts";
import type { FormProblem } from "./form.ts";

/** The answer to a form does not fit its schema, and was not sent (ELIC-15). */
export class FormContentError extends AcpError {
  protected static override readonly errorName: string = "FormContentError";
  readonly code = "form_content";
  /** All that is wrong with it. */
  readonly problems: readonly FormProblem[];

  constructor(problems: readonly FormProblem[]) {
    super(`The answer to the form is wrong: ${problems.map(formatIssue).join("; ")}`);
    this.problems = problems;
  }
}

import type { ElicitationContentValue } from "@acp/schema/v1/types";
import type { Received } from "@acp/schema/v2/types";
import { checkField } from "./field.ts";
import { StepBudget } from "./pattern/match.ts";
import { requireObject } from "../../base/require-argument.ts";

/**
 * A form as a client receives it, in either version. In version 1, its type and its fields may be absent; in version 2,
 * the format of a field may be unknown.
 */
export interface ReceivedForm extends Partial<Received.ElicitationSchema> {}

/** A problem in the answer to a form. */
export interface FormProblem {
  /** The name of the field, and the index if it is an item of a list. Empty if the answer is not an object. */
  readonly path: readonly (string | number)[];
  /** What is wrong, such as `is required`. Never quotes the value. */
  readonly reason: string;
}

/** Options of {@link validateForm}. */
export interface ValidateFormOptions {
  /**
   * Called with what could not be checked, and is therefore accepted: a field or choices of an unknown kind, and a
   * pattern that is not a regular expression, that {@link compilePattern} does not support, or that would take too
   * long. All patterns of a form together may take some tenths of a second.
   */
  readonly onUnchecked?: ((problem: FormProblem) => void) | undefined;
}

/**
 * Returns all problems in the answer to a form; an empty list if there are none (ELIC-07, ELIC-15).
 *
 * Fields of an unknown kind are not checked (ELIC-31), and an unknown format accepts any text (ELIC-34). Members that
 * are not fields of the form are allowed, as in JSON Schema. The sizes of the form and the answer bound the time that it
 * takes, whatever patterns the form has (ELIC-33).
 */
export function validateForm(schema: ReceivedForm, content: unknown, options?: ValidateFormOptions): FormProblem[] {
  requireObject(schema, "validateForm() takes the schema of a form first");
  if (typeof content !== "object" || content === null || Array.isArray(content)) {
    return [{ path: [], reason: "expected an object" }];
  }
  const values = new Map<string, unknown>(Object.entries(content));
  const problems: FormProblem[] = [];
  const budget = new StepBudget();
  for (const name of new Set(schema.required)) {
    if (values.get(name) === undefined) problems.push({ path: [name], reason: "is required" });
  }
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const value = values.get(name);
    if (value === undefined) continue;
    checkField(field, value, budget, {
      problem: (reason, ...path) => problems.push({ path: [name, ...path], reason }),
      unchecked: (reason) => options?.onUnchecked?.({ path: [name], reason }),
    });
  }
  return problems;
}

/** Returns the first problem in the answer to a form; `undefined` if there is none. See {@link validateForm}. */
export function checkForm(schema: ReceivedForm, content: unknown): FormProblem | undefined {
  return validateForm(schema, content)[0];
}

/**
 * Returns the initial values of a form: the defaults of its fields, except those that do not fit their field (ELIC-08).
 */
export function formDefaults(schema: ReceivedForm): Record<string, ElicitationContentValue> {
  requireObject(schema, "formDefaults() takes the schema of a form");
  const budget = new StepBudget();
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
      if (!("default" in field) || field.default == null) return [];
      let isRight = true;
      checkField(field, field.default, budget, { problem: () => (isRight = false), unchecked: () => {} });
      return isRight ? [[name, field.default]] : [];
    }),
  );
}

import type { ElicitationContentValue } from "@acp/schema/v1/types";
import { checkField } from "./field.ts";
import { StepBudget } from "./pattern/step-budget.ts";
import type { ReceivedForm } from "./received-form.ts";

/** Something that is wrong with the answer to a form. */
export interface FormProblem {
  /** The name of the field; for one item of a list also its index. Empty if the answer is no object. */
  readonly path: readonly (string | number)[];
  /** What is wrong, such as `is required`. It never quotes what was filled in. */
  readonly reason: string;
}

/** Options of {@link validateForm}. */
export interface ValidateFormOptions {
  /**
   * Called with what could not be checked, and so counts as right: a field or choices of an unknown kind, and a pattern that
   * is no regular expression, that {@link compilePattern} does not support, or that would take too long: all those of a
   * form together may take some tenths of a second.
   */
  readonly onUnchecked?: ((problem: FormProblem) => void) | undefined;
}

/**
 * All that is wrong with the answer to a form; an empty list if it is right (ELIC-07, ELIC-15).
 *
 * Fields of an unknown kind are not checked (ELIC-31), and for an unknown format any text is right (ELIC-34). Members that
 * are no fields of the form are allowed, as in JSON Schema. The time it takes is bounded by the sizes of form and answer,
 * whatever patterns the form has (ELIC-33).
 */
export function validateForm(schema: ReceivedForm, content: unknown, options?: ValidateFormOptions): FormProblem[] {
  if (typeof content !== "object" || content === null || Array.isArray(content)) {
    return [{ path: [], reason: "expected an object" }];
  }
  const values = new Map<string, unknown>(Object.entries(content));
  const required = new Set(schema.required);
  const problems: FormProblem[] = [];
  const budget = new StepBudget();
  for (const name of required)
    if (values.get(name) === undefined) problems.push({ path: [name], reason: "is required" });
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

/** The first thing that is wrong with the answer to a form; `undefined` if it is right. See {@link validateForm}. */
export function checkForm(schema: ReceivedForm, content: unknown): FormProblem | undefined {
  return validateForm(schema, content)[0];
}

/** What to fill in at first: the defaults of the fields, without those that do not fit their field (ELIC-08). */
export function formDefaults(schema: ReceivedForm): Record<string, ElicitationContentValue> {
  const fields = Object.entries(schema.properties ?? {});
  const budget = new StepBudget();
  return Object.fromEntries(
    fields.flatMap(([name, field]) => {
      if (!("default" in field) || field.default == null) return [];
      let isRight = true;
      checkField(field, field.default, budget, { problem: () => (isRight = false), unchecked: () => {} });
      return isRight ? [[name, field.default]] : [];
    }),
  );
}

import type { Received } from "@acp/schema/v1";
import { checkField } from "./field.ts";

/** Something that is wrong with the answer to a form. */
export interface FormProblem {
  /** The field, and the place in its list of choices. */
  readonly path: readonly (string | number)[];
  /** Such as `is required`. Never holds what was filled in. */
  readonly reason: string;
}

export interface ValidateFormOptions {
  /**
   * Told of what could not be checked and so counts as right: a pattern that is no regular expression, that
   * uses what {@link compilePattern} does not support, or that would take too long.
   */
  readonly onUnchecked?: (problem: FormProblem) => void;
}

/**
 * All that is wrong with the answer to a form; nothing if it is right (ELIC-07, ELIC-15).
 *
 * Fields of a kind that is not known are not looked at (ELIC-31), and any text will do for a format that is
 * not known (ELIC-34). Members that are no fields of the form are let be, as in JSON Schema. Takes a time
 * that is bounded by the sizes of form and answer, whatever patterns the form has (ELIC-33).
 */
export function validateForm(
  schema: Received.ElicitationSchema,
  content: unknown,
  { onUnchecked = () => {} }: ValidateFormOptions = {},
): FormProblem[] {
  if (typeof content !== "object" || content === null || Array.isArray(content)) {
    return [{ path: [], reason: "expected an object" }];
  }
  const values = new Map<string, unknown>(Object.entries(content));
  const required = new Set(schema.required);
  const problems: FormProblem[] = [];
  for (const name of required)
    if (values.get(name) === undefined) problems.push({ path: [name], reason: "is required" });
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const value = values.get(name);
    if (value === undefined) continue;
    checkField(field, value, {
      problem: (reason, ...path) => problems.push({ path: [name, ...path], reason }),
      unchecked: (reason) => onUnchecked({ path: [name], reason }),
    });
  }
  return problems;
}

/** The first thing that is wrong with the answer to a form: what `elicitForm` of `@acp/core/agent` checks by. */
export function checkForm(schema: Received.ElicitationSchema, content: unknown): FormProblem | undefined {
  return validateForm(schema, content)[0];
}

/** What a form is to be filled in with at first: the defaults of its fields, without those that are wrong (ELIC-08). */
export function formDefaults(schema: Received.ElicitationSchema): Record<string, Received.ElicitationContentValue> {
  const fields = Object.entries(schema.properties ?? {});
  return Object.fromEntries(
    fields.flatMap(([name, field]) => {
      if (!("default" in field) || field.default == null) return [];
      let isRight = true;
      checkField(field, field.default, { problem: () => (isRight = false), unchecked: () => {} });
      return isRight ? [[name, field.default]] : [];
    }),
  );
}

import { unknownVariant } from "@acp/schema";
import type { StringPropertySchema } from "@acp/schema/v1/types";
import type { Received } from "@acp/schema/v2/types";
import { findFormatProblem } from "./format.ts";
import type { StepBudget } from "./pattern/match.ts";
import { compileWithin } from "./pattern/pattern.ts";

type Field = Received.ElicitationPropertySchema;
type FieldOf<Type> = Extract<Field, { readonly type: Type }>;
/** A text of either version: one may have constraints that the other does not have. */
type TextField = FieldOf<"string"> & Pick<StringPropertySchema, "pattern">;

/** Receives the results of a check. */
export interface FieldReport {
  problem(reason: string, ...path: readonly number[]): void;
  /** Something could not be checked. */
  unchecked(reason: string): void;
}

/** Checks a value against its field. All fields of a form share the `budget` for their patterns. */
export function checkField(field: Field, value: unknown, budget: StepBudget, report: FieldReport): void {
  switch (field.type) {
    case "string":
      if (typeof value !== "string") return report.problem("expected a text");
      return checkText(field, value, budget, report);
    case "number":
    case "integer":
      return checkNumber(field, value, report);
    case "boolean":
      if (typeof value !== "boolean") report.problem("expected true or false");
      return;
    case "array":
      if (!Array.isArray(value)) return report.problem("expected a list");
      return checkList(field, value, report);
    case unknownVariant:
      return report.unchecked("the kind of the field is not known");
  }
}

function checkText(field: TextField, value: string, budget: StepBudget, report: FieldReport): void {
  const { minLength, maxLength, format, pattern } = field;
  // JSON Schema counts characters, not units of UTF-16.
  const { length } = Array.from(value);
  if (minLength != null && length < minLength) report.problem(`has fewer than ${minLength} characters`);
  if (maxLength != null && length > maxLength) report.problem(`has more than ${maxLength} characters`);
  if (field.enum != null && !field.enum.includes(value)) report.problem("is none of the choices");
  if (field.oneOf != null && !field.oneOf.some((option) => option.const === value)) {
    report.problem("is none of the choices");
  }
  const problem = format == null ? undefined : findFormatProblem(format, value);
  if (problem !== undefined) report.problem(problem);
  if (pattern != null) checkPattern(pattern, value, budget, report);
}

function checkPattern(source: string, value: string, budget: StepBudget, report: FieldReport): void {
  const pattern = compileWithin(source, () => budget);
  const isMatch = pattern.ok ? pattern.test(value) : undefined;
  if (isMatch === false) report.problem("does not have the form that is asked for");
  if (isMatch === undefined) {
    report.unchecked(`the pattern cannot be checked: ${pattern.ok ? "it would take too long" : pattern.reason}`);
  }
}

function checkNumber(field: FieldOf<"number" | "integer">, value: unknown, report: FieldReport): void {
  if (typeof value !== "number" || !Number.isFinite(value)) return report.problem("expected a number");
  if (field.type === "integer" && !Number.isInteger(value)) report.problem("expected a whole number");
  if (field.minimum != null && value < field.minimum) report.problem(`is less than ${field.minimum}`);
  if (field.maximum != null && value > field.maximum) report.problem(`is more than ${field.maximum}`);
}

function checkList(field: FieldOf<"array">, values: readonly unknown[], report: FieldReport): void {
  const { items, minItems, maxItems } = field;
  if (minItems != null && values.length < minItems) report.problem(`has fewer than ${minItems} choices`);
  if (maxItems != null && values.length > maxItems) report.problem(`has more than ${maxItems} choices`);
  if (items.type === unknownVariant) return report.unchecked("the kind of the choices is not known");
  const choices = new Set<unknown>(items.type === "string" ? items.enum : items.anyOf.map((option) => option.const));
  for (const [index, value] of values.entries()) {
    if (!choices.has(value)) report.problem("is none of the choices", index);
  }
}

import { type ReceivedForm, compilePattern } from "@acp/core/elicitation";
import { unknownVariant } from "@acp/schema";
import type { ElicitationContentValue, EnumOption } from "@acp/schema/v1";

import { printableLine } from "../text/printable.ts";

type Property = NonNullable<ReceivedForm["properties"]>[string];

/** A field of a form that can be shown. */
export type FormField = Exclude<Property, { readonly type: typeof unknownVariant }>;

/** A value to choose. */
export interface FieldChoice {
  readonly value: string;
  readonly title: string;
}

/** Whether this client can show a field of this kind; others must not look like a known one (ELIC-31). */
export function canShow(field: Property): field is FormField {
  return field.type !== unknownVariant && !(field.type === "array" && field.items.type === unknownVariant);
}

/** The values to choose from; `undefined` if anything can be entered. */
export function choicesOf(field: FormField): readonly FieldChoice[] | undefined {
  if (field.type === "string") return fromOptions(field.oneOf) ?? fromValues(field.enum);
  if (field.type !== "array" || field.items.type === unknownVariant) return undefined;
  return field.items.type === "string" ? fromValues(field.items.enum) : fromOptions(field.items.anyOf);
}

/** What can be entered, in words. */
export function hintOf(field: FormField): string {
  switch (field.type) {
    case "string":
      return field.format ?? "text";
    case "number":
      return "number";
    case "integer":
      return "whole number";
    case "boolean":
      return "yes or no";
    default:
      return "numbers, with commas between";
  }
}

/** Converts a typed line to a value. Returns text that does not convert unchanged, so that validation reports it. */
export function valueOf(field: FormField, line: string): ElicitationContentValue {
  const choices = choicesOf(field);
  const choice = (part: string): string =>
    (choices?.[Number(part) - 1] ?? choices?.find(({ title }) => isTyped(title, part)))?.value ?? part;
  switch (field.type) {
    case "string":
      return choices === undefined ? line : choice(line);
    case "number":
    case "integer":
      return Number.isFinite(Number(line)) ? Number(line) : line;
    case "boolean":
      return /^y(?:es)?$|^true$/iu.test(line) ? true : /^no?$|^false$/iu.test(line) ? false : line;
    default:
      return [...new Set(line.split(",").map((part) => choice(part.trim())))];
  }
}

/** A value in the words that the user has chosen it by. */
export function displayValue(field: FormField, value: ElicitationContentValue): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  const title = (one: string): string => choicesOf(field)?.find((choice) => choice.value === one)?.title ?? one;
  return Array.isArray(value) ? value.map(title).join(", ") : title(String(value));
}

/** Whether the user typed a title as it was shown. */
function isTyped(title: string, typed: string): boolean {
  return printableLine(title).toLowerCase() === typed.toLowerCase();
}

function fromValues(values: readonly string[] | null | undefined): readonly FieldChoice[] | undefined {
  return values?.map((value) => ({ value, title: value }));
}

function fromOptions(options: readonly EnumOption[] | null | undefined): readonly FieldChoice[] | undefined {
  return options?.map((option) => ({ value: option.const, title: option.title }));
}

/** Why a value is invalid, in the words of the hint. */
export function reasonOf(field: FormField, reason: string, value: ElicitationContentValue | undefined): string {
  if (field.type === "boolean" && typeof value === "string") return `should be ${hintOf(field)}`;
  const more =
    "pattern" in field && failsPattern(field.pattern, value) ? `; its pattern is ${String(field.pattern)}` : "";
  return reason.replace(/^expected/u, "should be") + more;
}

function failsPattern(pattern: unknown, value: ElicitationContentValue | undefined): boolean {
  if (typeof pattern !== "string" || typeof value !== "string") return false;
  const compiled = compilePattern(pattern);
  return compiled.ok && compiled.test(value) === false;
}

/** What the user reads beside a field. */
export function labelOf(name: string, { title }: FormField): string {
  return title ?? name;
}

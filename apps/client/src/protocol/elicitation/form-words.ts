import { compilePattern } from "@acp/core/elicitation";
import type { ElicitationContentValue } from "@acp/schema/v1";

import { type FormField, hintOf } from "./form-field.ts";

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

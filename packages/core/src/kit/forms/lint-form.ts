import { checkField } from "./field.ts";
import type { FormProblem, ReceivedForm } from "./form.ts";
import { StepBudget } from "./pattern/match.ts";
import { compilePattern } from "./pattern/pattern.ts";
import { requireObject } from "../../base/require-argument.ts";

const secret =
  /pass(?:word|phrase|code)|passwd|secret|token|api[ _-]?key|private[ _-]?key|credential|\bpin\b|\bcvv\b/iu;
const address = /\b(?:https?:\/\/|www\.)\S/iu;

/**
 * Returns warnings for the author of a form, for tests and development: fields that seem to ask for a secret (ELIC-09),
 * URLs in texts, which belong in the mode `url` (ELIC-26), patterns that clients may not support, defaults that do not
 * fit, and required fields that do not exist. It looks at names and texts, so it can be wrong. `path` is the path in
 * the schema.
 */
export function lintForm(schema: ReceivedForm): FormProblem[] {
  requireObject(schema, "lintForm() takes the schema of a form");
  const problems: FormProblem[] = [];
  const lintTexts = (holder: object, path: readonly string[]): void => {
    for (const [member, text] of Object.entries(holder)) {
      if (!["title", "description", "default"].includes(member) || typeof text !== "string" || !address.test(text))
        continue;
      problems.push({ path: [...path, member], reason: "has a URL; ask in the mode url (ELIC-26)" });
    }
  };
  lintTexts(schema, []);
  const fields = Object.entries(schema.properties ?? {});
  for (const [name, field] of fields) {
    const path = ["properties", name];
    const title = "title" in field ? (field.title ?? "") : "";
    // Splits names such as `apiKey` and `user_pin` into words.
    const words = `${name.replaceAll(/(?<=[a-z])(?=[A-Z])|_/gu, " ")} ${title}`;
    if (secret.test(words)) problems.push({ path, reason: "seems to ask for a secret; ask in the mode url (ELIC-09)" });
    lintTexts(field, path);
    if ("pattern" in field && typeof field.pattern === "string") {
      const pattern = compilePattern(field.pattern);
      if (!pattern.ok) problems.push({ path: [...path, "pattern"], reason: pattern.reason });
    }
    if ("default" in field && field.default != null) {
      const problem = (reason: string): void => void problems.push({ path: [...path, "default"], reason });
      checkField(field, field.default, new StepBudget(), { problem, unchecked: () => {} });
    }
  }
  const names = new Set(fields.map(([name]) => name));
  for (const [index, name] of (schema.required ?? []).entries()) {
    if (!names.has(name)) problems.push({ path: ["required", index], reason: "is no field of the form" });
  }
  return problems;
}

import type { ElicitationAnswer, FormQuestion } from "@acp/core/elicitation";
import type { ElicitationContentValue } from "@acp/schema/v1";

import { ask, type Asker, choose, type Ending, showLine } from "./asker.ts";
import {
  choicesOf,
  type FormField,
  hintOf,
  canShow,
  displayValue,
  valueOf,
  labelOf,
  reasonOf,
} from "../../protocol/elicitation/form-field.ts";

type Content = Record<string, ElicitationContentValue>;

/** Lets the user fill in a form, review it, and send, decline or cancel it (ELIC-23). */
export async function answerForm(
  question: FormQuestion,
  asker: Asker,
): Promise<ElicitationAnswer<{ readonly content: Content }>> {
  const { schema, message } = question;
  asker.transcript.question(asker.agent, message, asker.beside);
  for (const text of [schema.title, schema.description]) if (text != null) showLine(asker, text);
  const fields = Object.entries(schema.properties ?? {});
  const content: Content = { ...question.defaults };
  for (const [name, field] of fields) {
    if (!canShow(field)) showLine(asker, `${name}: this client cannot show a field of this kind`);
  }
  showLine(asker, "Enter keeps the value in [ ], - clears it; /decline and /cancel leave the form");
  const first = await choose(asker, "Fill it in?", ["yes", "decline", "cancel"]);
  if (first !== "yes") return { action: first };
  for (;;) {
    for (const [name, field] of fields) {
      // The questions come one after another.
      const ending = canShow(field) ? await askField(name, field, content, question, asker) : undefined;
      if (ending !== undefined) return { action: ending };
    }
    showLine(asker, "You are about to send:");
    for (const [name, field] of fields) {
      const value = content[name];
      if (canShow(field) && value !== undefined)
        showLine(asker, `${labelOf(name, field)}: ${displayValue(field, value)}`, "  ");
    }
    const problems = question.validate(content);
    for (const { path, reason } of problems) showLine(asker, `${path.join("/")} ${reason}`, "  ");
    const next = await choose(
      asker,
      "What now?",
      problems.length === 0 ? ["send", "edit", "decline", "cancel"] : ["edit", "decline", "cancel"],
    );
    if (next === "send") return { action: "accept", content };
    if (next !== "edit") return { action: next };
  }
}

/** Asks until the value is valid, or the user leaves the form. */
async function askField(
  name: string,
  field: FormField,
  content: Content,
  { schema, validate }: FormQuestion,
  asker: Asker,
): Promise<Ending | undefined> {
  const isRequired = schema.required?.includes(name) === true;
  const label = `${labelOf(name, field)}${isRequired ? " (required)" : ""}`;
  showLine(asker, field.description == null ? label : `${label}: ${field.description}`);
  for (const [index, { title }] of (choicesOf(field) ?? []).entries()) showLine(asker, `${index + 1} ${title}`, "  ");
  for (;;) {
    const before = content[name];
    const suggestion = before === undefined ? "" : ` [${displayValue(field, before)}]`;
    const hint = field.type !== "array" && choicesOf(field) !== undefined ? "number" : hintOf(field);
    const line = await ask(asker, `${hint}${suggestion}:`);
    if (line === "/decline" || line === "/cancel") return line === "/cancel" ? "cancel" : "decline";
    // An empty line keeps the value, and a dash clears it.
    if (line === "-") delete content[name];
    else if (line !== "") content[name] = valueOf(field, line);
    const problem = validate(content).find(({ path }) => path[0] === name);
    if (problem === undefined) return undefined;
    showLine(asker, `It ${reasonOf(field, problem.reason, content[name])}`);
    if (before === undefined) delete content[name];
    else content[name] = before;
  }
}

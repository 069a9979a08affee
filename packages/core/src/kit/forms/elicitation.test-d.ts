// What the compiler promises to clients that ask the user. Checked by `tsc`; a stale line fails it.
import { type ClientContext, createClient } from "../../v1/index.ts";
import {
  type ClientContext as UnstableContext,
  createClient as createUnstableClient,
} from "../../v1/unstable/entry.ts";
import { type ClientContext as ClientContext2, createClient as createClient2 } from "../../v2/entry.ts";
import { createClient as createUnstableClient2 } from "../../v2/unstable/entry.ts";
import {
  elicitation,
  type ElicitationAnswer,
  type FilledForm,
  type FormQuestion,
  type QuestionContext,
  type UrlQuestion,
} from "./elicitation.ts";

// Questions and answers have exported types, for functions in other files.
async function fillIn({ defaults }: FormQuestion): Promise<ElicitationAnswer<FilledForm>> {
  return { action: "accept", content: defaults };
}
const open = ({ report }: UrlQuestion): ElicitationAnswer<object> => ({
  action: report.warnings.length > 0 ? "decline" : "accept",
});
createClient({
  info: { name: "x", version: "1" },
  capabilities: { elicitation: { form: {}, url: {} } },
  handlers: { ...elicitation({ form: fillIn, url: open }) },
});

// The same handlers are those of a client that speaks the unstable part, too, and version 2.
createUnstableClient({
  info: { name: "x", version: "1" },
  handlers: { ...elicitation({ form: fillIn, url: open }) },
});
createClient2({
  info: { name: "x", version: "1" },
  capabilities: { elicitation: { form: {}, url: {} } },
  handlers: { ...elicitation({ form: fillIn, url: open }) },
});
createUnstableClient2({
  info: { name: "x", version: "1" },
  handlers: { ...elicitation({ form: fillIn, url: open }) },
});
export const contexts = (
  stable: ClientContext,
  unstable: UnstableContext,
  newer: ClientContext2,
): QuestionContext[] => [stable, unstable, newer];

// @ts-expect-error a form that is accepted has content
elicitation({ form: () => ({ action: "accept" }) });

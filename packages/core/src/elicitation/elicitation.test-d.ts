// What the compiler promises to whoever asks the user. Checked by `tsc`; a stale line fails it.
import { createClient } from "../index.ts";
import {
  elicitation,
  type ElicitationAnswer,
  type FilledForm,
  type FormQuestion,
  type UrlQuestion,
} from "./elicitation.ts";

// What is asked and answered has names, for functions that stand elsewhere.
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

// @ts-expect-error a form that is accepted has content
elicitation({ form: () => ({ action: "accept" }) });

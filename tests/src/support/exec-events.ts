import { readFileSync } from "node:fs";

import { Ajv2020 } from "ajv/dist/2020.js";

/** An event of `acp exec --format json`. */
export type Event = { readonly type: string } & Readonly<Record<string, unknown>>;

interface Definition {
  unevaluatedProperties?: boolean;
}

const path = new URL("../../../apps/client/schema/exec-events.schema.json", import.meta.url);
const schema: { readonly $defs: Readonly<Record<string, Definition>> } = JSON.parse(readFileSync(path, "utf8"));
// Readers leave out what they do not know. This one knows everything, so that nothing is left undocumented.
for (const [name, definition] of Object.entries(schema.$defs)) {
  if (name.endsWith("Event") || name === "option") definition.unevaluatedProperties = false;
}
const validate = new Ajv2020({ allErrors: true, strictTypes: false }).compile(schema);

/** The events of a stream. Each has to be one of the schema, the first to be the start, and the last to be the end. */
export function eventsOf(stdout: string): readonly Event[] {
  const lines = stdout.split("\n");
  if (lines.pop() !== "") throw new Error(`The last line has no end:\n${stdout}`);
  const events = lines.map((line): Event => JSON.parse(line));
  for (const event of events) {
    const isValid: boolean = validate(event);
    if (isValid) continue;
    const problems = validate.errors?.filter(({ schemaPath }) => schemaPath.includes(`${event.type}Event`));
    throw new Error(`Not of the schema: ${JSON.stringify(event)}\n${JSON.stringify(problems, undefined, 2)}`);
  }
  const [first] = events;
  if (first?.type !== "start" || events.at(-1)?.type !== "end") throw new Error(`Not a whole stream:\n${stdout}`);
  return events;
}

/** The events of one type. */
export function ofType(events: readonly Event[], type: string): readonly Event[] {
  return events.filter((event) => event.type === type);
}

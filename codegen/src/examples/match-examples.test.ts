import { describe, expect, test } from "vitest";
import { readModel } from "../model/read-model.ts";
import type { JsonSchema, SchemaDocument } from "../model/schema-document.ts";
import { readSchema } from "../testing/index.ts";
import { matchExamples } from "./match-examples.ts";
import { type Examples, readExamples } from "./index.ts";

const ref = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });
const variant = (tag: string, payload?: string): JsonSchema => ({
  type: "object",
  properties: { is: { type: "string", const: tag } },
  required: ["is"],
  ...(payload !== undefined && { allOf: [ref(payload)] }),
});

const definitions: Record<string, JsonSchema> = {
  RunRequest: {
    type: "object",
    properties: {
      steps: { type: "array", items: ref("Step") },
      extra: { type: "object", additionalProperties: ref("Step") },
    },
    required: ["steps"],
    "x-method": "run",
    "x-side": "agent",
  },
  RunResponse: { type: "object", properties: { how: ref("How") }, "x-method": "run", "x-side": "agent" },
  RunNotification: { type: "object", properties: {}, "x-method": "run", "x-side": "client" },
  How: {
    anyOf: [
      { type: "string", const: "well" },
      { title: "other", type: "string" },
    ],
  },
  Step: { type: "object", properties: { at: { type: ["integer", "null"] } } },
  SessionUpdate: { oneOf: [variant("step", "Step"), variant("end")] },
};
const document: SchemaDocument = { $defs: definitions };

const request = { method: "run", params: { steps: [] }, result: {} };
const notification = { method: "run", params: {} };
const step = { definition: "SessionUpdate", value: { is: "step", at: 3 } };
const end = { definition: "SessionUpdate", value: { is: "end" } };

function match(examples: readonly object[], other?: SchemaDocument): Examples {
  return matchExamples(readExamples([{ source: "x.json", text: JSON.stringify(examples) }]), {
    document,
    model: readModel(document),
    ...(other !== undefined && { alsoIn: [readModel(other)] }),
  });
}

describe("matchExamples()", () => {
  test("puts examples to their methods, and those of a variant to the definition with its members", () => {
    const found = match([request, notification, step, end]);
    expect([...found.methods].map(([{ kind }, examples]) => [kind, examples.length])).toEqual([
      ["request", 1],
      ["notification", 1],
    ]);
    expect([...found.definitions.keys()]).toEqual(["Step", "SessionUpdate"]);
    expect(found.missing).toEqual([]);
  });

  test("lists methods and session updates that have none", () => {
    expect(match([]).missing).toEqual([
      "run (request)",
      "run (notification)",
      "SessionUpdate=step",
      "SessionUpdate=end",
    ]);
    expect(match([request, end]).missing).toEqual(["run (notification)", "SessionUpdate=step"]);
  });

  test("names the file and the definition that cannot be checked", () => {
    const matchWith = (schema: object): unknown => {
      const vague: SchemaDocument = { $defs: { ...definitions, Step: schema } };
      const examples = readExamples([{ source: "x.json", text: JSON.stringify([request]) }]);
      return matchExamples(examples, { path: "schema.json", document: vague, model: readModel(vague) });
    };
    const untyped = { properties: { at: { type: "integer" } } };
    expect(() => matchWith(untyped)).not.toThrow();
    // The model leaves this keyword to validators.
    expect(() => matchWith({ ...untyped, maxProperties: -1 })).toThrow(
      /^schema\.json: Definition Step at \/maxProperties: must be >= 0$/,
    );
  });

  test("asks for an example of a method that is new in the schema", () => {
    const schema = readSchema("v1");
    const grown: SchemaDocument = {
      ...schema,
      $defs: {
        ...schema.$defs,
        DoctorRequest: { type: "object", properties: {}, "x-method": "doctor", "x-side": "agent" },
        DoctorResponse: { type: "object", properties: {}, "x-method": "doctor", "x-side": "agent" },
      },
    };
    expect(matchExamples([], { document: grown, model: readModel(grown) }).missing).toContain("doctor (request)");
  });

  test.each([
    [{ ...request, params: {} }, "x.json[0]: run params /: must have required property 'steps'"],
    [{ ...request, params: { steps: [{}, { at: "3" }] } }, "x.json[0]: run params /steps/1/at: must be integer,null"],
    [{ ...request, result: { how: 1 } }, "x.json[0]: run result /how: must be string"],
    [{ definition: "Step", value: [] }, "x.json[0]: Step /: must be object"],
  ])("reports the method and path of an invalid value: %j", (example, message) => {
    expect(() => match([example])).toThrow(message);
  });

  test.each([
    [{ ...request, params: { steps: [{ att: 3 }] } }, "run params /steps/0/att: not in the schema"],
    [{ ...request, params: { steps: [], extra: { a: { to: 1 } } } }, "run params /extra/a/to: not in the schema"],
    [{ ...request, result: { how: "wel" } }, "run result /how: not in the schema"],
    [{ ...step, value: { is: "step", att: 3 } }, "SessionUpdate /att: not in the schema"],
  ])("rejects misspelt members, even where receivers must accept them: %j", (example, message) => {
    expect(() => match([example])).toThrow(message);
  });

  test("reports all that is wrong at once", () => {
    const wrong = { ...request, params: {}, result: 1 };
    expect(() => match([wrong, { ...notification, params: 2 }])).toThrow(/params.*\n.*result.*\n.*\[1\]/);
  });

  test("skips members that only the other schema has, and rejects those of neither", () => {
    const other: SchemaDocument = {
      $defs: {
        ...definitions,
        StopNotification: { type: "object", properties: {}, "x-method": "stop", "x-side": "agent" },
        SessionUpdate: { oneOf: [variant("step", "Step"), variant("end"), variant("pause")] },
      },
    };
    const stop = { method: "stop", params: {} };
    const pause = { definition: "SessionUpdate", value: { is: "pause" } };
    expect(match([stop, pause], other).methods.size).toBe(0);
    expect(() => match([stop])).toThrow("x.json[0]: no schema has a notification stop");
    expect(() => match([{ ...stop, result: {} }], other)).toThrow("no schema has a request stop");
    expect(() => match([pause])).toThrow("no schema has SessionUpdate, or this variant of it");
  });
});

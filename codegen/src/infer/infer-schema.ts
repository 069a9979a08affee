import type * as Quicktype from "quicktype-core";

/** As much of JSON Schema as inference comes up with. References are resolved. */
export interface InferredSchema {
  readonly type?: "object" | "array" | "string" | "integer" | "number" | "boolean" | "null";
  readonly properties?: Readonly<Record<string, InferredSchema>>;
  readonly required?: readonly string[];
  /** What the values of a map are. */
  readonly additionalProperties?: InferredSchema;
  readonly items?: InferredSchema;
  readonly anyOf?: readonly InferredSchema[];
}

/** The schema that all samples satisfy; `undefined` if there are none. */
export async function inferSchema(samples: readonly unknown[]): Promise<InferredSchema | undefined> {
  if (samples.length === 0) return undefined;
  const { InputData, jsonInputForTargetLanguage, quicktype } = await loadQuicktype();
  const input = jsonInputForTargetLanguage("schema");
  // Held by an object, since a union at the top gets no name. Each type in a run of its own: types that
  // look the same would become one, and all but one of them would be missing.
  await input.addSource({ name: top, samples: samples.map((value) => JSON.stringify({ value })) });
  const inputData = new InputData();
  inputData.addInput(input);
  const { lines } = await quicktype({
    inputData,
    lang: "schema",
    // What looks alike need not be the same, and what a text looks like is a guess.
    combineClasses: false,
    inferEnums: false,
    inferDateTimes: false,
    inferIntegerStrings: false,
    inferBooleanStrings: false,
    inferUuids: false,
  });
  const document = JSON.parse(lines.join("\n")) as { readonly definitions: Readonly<Record<string, RawSchema>> };
  return resolve(document.definitions[top]?.properties?.["value"] ?? {}, document.definitions);
}

const top = "Held";

/** It is large, and only inference needs it: who uses that installs it, and a second passes until it is loaded. */
async function loadQuicktype(): Promise<typeof Quicktype> {
  try {
    return await import("quicktype-core");
  } catch (cause) {
    if (!(cause instanceof Error && "code" in cause && cause.code === "ERR_MODULE_NOT_FOUND")) throw cause;
    throw new Error(
      "infer needs the package quicktype-core, which is not installed: npm install --save-dev quicktype-core@26",
      { cause },
    );
  }
}

interface RawSchema {
  readonly $ref?: string;
  readonly type?: InferredSchema["type"];
  readonly properties?: Readonly<Record<string, RawSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: RawSchema | boolean;
  readonly items?: RawSchema;
  readonly anyOf?: readonly RawSchema[];
}

function resolve(raw: RawSchema, definitions: Readonly<Record<string, RawSchema>>): InferredSchema {
  if (raw.$ref !== undefined) return resolve(definitions[raw.$ref.replace("#/definitions/", "")] ?? {}, definitions);
  const { type, properties, required, additionalProperties, items, anyOf } = raw;
  const resolved = (schema: RawSchema): InferredSchema => resolve(schema, definitions);
  if (anyOf !== undefined) return { anyOf: anyOf.map(resolved) };
  if (type === "array") return { type, items: resolved(items ?? {}) };
  if (type !== "object") return type === undefined ? {} : { type };
  if (typeof additionalProperties === "object") return { type, additionalProperties: resolved(additionalProperties) };
  // Nothing was ever in it: it may hold anything.
  if (properties === undefined) return { type, additionalProperties: {} };
  const members = Object.entries(properties).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return {
    type,
    properties: Object.fromEntries(members.map(([name, schema]) => [name, resolved(schema)])),
    required: (required ?? []).toSorted(),
  };
}

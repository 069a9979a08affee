import type { ValidateFunction } from "ajv";
import { simplify } from "../emit/validators/simplify.ts";
import { orNotTaken, strictAjv } from "../emit/validators/strict-ajv.ts";
import type { Method, ProtocolModel, TaggedUnion } from "../model/protocol-model.ts";
import { isPlainObject, type SchemaDocument, SchemaError } from "../model/schema-document.ts";
import { inFile } from "../model/schema-file.ts";
import type { DefinitionExample, Example, MethodExample } from "./read-examples.ts";
import { undescribed } from "./undescribed.ts";

/** The definitions whose every variant needs an example. */
const illustratedUnions: readonly string[] = ["SessionUpdate"];

/** The examples of one schema, all of them valid. */
export interface Examples {
  readonly methods: ReadonlyMap<Method, readonly MethodExample[]>;
  /** By definition; examples of one variant are under the definition that has the variant's members, if any. */
  readonly definitions: ReadonlyMap<string, readonly DefinitionExample[]>;
  /** Methods, and variants as `SessionUpdate=plan`, that have none. */
  readonly missing: readonly string[];
}

/** What {@link matchExamples} holds examples against. */
export interface ExampleSubject {
  /** The file of the schema, for errors about it. */
  readonly path?: string;
  readonly document: SchemaDocument;
  readonly model: ProtocolModel;
  /** The other schemas that share the examples: the unstable one beside the stable one. */
  readonly alsoIn?: readonly ProtocolModel[];
}

/**
 * Finds the examples that concern a schema, and checks them against it.
 *
 * @throws SchemaError that lists every example that is not valid, with method and path, holds what the schema
 * does not describe, or is of something no schema has.
 */
export function matchExamples(examples: readonly Example[], subject: ExampleSubject): Examples {
  const { model, alsoIn = [] } = subject;
  const check = checker(subject);
  const problems: string[] = [];
  const methods = new Map<Method, MethodExample[]>();
  const definitions = new Map<string, DefinitionExample[]>();
  const illustrated = new Set<string>();

  for (const example of examples) {
    if (!isAbout(example, model)) {
      if (!alsoIn.some((other) => isAbout(example, other))) problems.push(unknownSubject(example));
    } else if ("method" in example) {
      const method = methodOf(example, model);
      if (method === undefined) continue;
      problems.push(...check(example, `${method.name} params`, method.params, example.params));
      if (method.result !== undefined) {
        problems.push(...check(example, `${method.name} result`, method.result, example.result));
      }
      add(methods, method, example);
    } else {
      const { definition, value } = example;
      problems.push(...check(example, definition, definition, value));
      const variant = variantOf(example, model);
      if (variant !== undefined) illustrated.add(`${definition}=${variant.value}`);
      add(definitions, variant?.shape.includes[0] ?? definition, example);
    }
  }
  if (problems.length > 0) throw new SchemaError(problems.join("\n"));
  return {
    methods,
    definitions,
    missing: [
      ...model.methods.filter((method) => !methods.has(method)).map(({ name, kind }) => `${name} (${kind})`),
      ...illustratedUnions
        .flatMap((name) => unionOf(name, model)?.variants.map(({ value }) => `${name}=${value}`) ?? [])
        .filter((place) => !illustrated.has(place)),
    ],
  };
}

/** Whether the schema has the method, or the definition and, of a tagged union, the variant. */
function isAbout(example: Example, model: ProtocolModel): boolean {
  if ("method" in example) return methodOf(example, model) !== undefined;
  const union = unionOf(example.definition, model);
  const isIllustrated = illustratedUnions.includes(example.definition) && union !== undefined;
  return model.definitions.has(example.definition) && (!isIllustrated || variantOf(example, model) !== undefined);
}

function unknownSubject(example: Example): string {
  if (!("method" in example)) return `${example.source}: no schema has ${example.definition}, or this variant of it`;
  const kind = "result" in example ? "request" : "notification";
  return `${example.source}: no schema has a ${kind} ${example.method}`;
}

function methodOf(example: MethodExample, model: ProtocolModel): Method | undefined {
  const kind = "result" in example ? "request" : "notification";
  return model.methods.find((method) => method.name === example.method && method.kind === kind);
}

function unionOf(definition: string, model: ProtocolModel): TaggedUnion | undefined {
  const shape = model.definitions.get(definition)?.shape;
  return shape?.kind === "object" && shape.union?.kind === "tagged" ? shape.union : undefined;
}

function variantOf(
  { definition, value }: DefinitionExample,
  model: ProtocolModel,
): TaggedUnion["variants"][number] | undefined {
  const union = unionOf(definition, model);
  if (union === undefined || !isPlainObject(value)) return undefined;
  return union.variants.find((variant) => variant.value === value[union.tag]);
}

type Check = (example: Example, what: string, definition: string, value: unknown) => readonly string[];

function checker({ path: file = "The schema", document, model }: ExampleSubject): Check {
  const ajv = strictAjv({ allErrors: true, inlineRefs: false });
  const definitions = simplify(document.$defs);
  ajv.addSchema({ $id: "acp", $defs: definitions });
  const validator = (definition: string): ValidateFunction => {
    const compile = (): ValidateFunction | undefined => ajv.getSchema(`acp#/$defs/${definition}`);
    const found = inFile(file, () => orNotTaken(definitions, compile));
    if (found === undefined) throw new SchemaError(`There is no definition ${definition}`);
    return found;
  };
  return (example, what, definition, value) => {
    const validate = validator(definition);
    const findings = validate(value)
      ? undescribed(model, definition, value).map((path) => `${path}: not in the schema`)
      : (validate.errors ?? [])
          .filter(({ keyword }) => keyword !== "if")
          .map(
            ({ instancePath, message }) => `${instancePath === "" ? "/" : instancePath}: ${message ?? "is invalid"}`,
          );
    return findings.map((finding) => `${example.source}: ${what} ${finding}`);
  };
}

function add<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const values = map.get(key);
  if (values === undefined) map.set(key, [value]);
  else values.push(value);
}

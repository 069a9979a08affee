import type { ValidateFunction } from "ajv";
import { checkDefinitions } from "../emit/validators/check-definitions.ts";
import { simplify } from "../emit/validators/simplify.ts";
import { definitionAjv, orNotTaken } from "../emit/validators/strict-ajv.ts";
import { Findings } from "../model/findings.ts";
import type { Method, ProtocolModel, TaggedUnion } from "../model/protocol-model.ts";
import { normalizeDocument } from "../model/normalize/normalize-document.ts";
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

/** What is wrong with an example. */
export interface ExampleProblem {
  readonly example: Example;
  /** Names the file, the position in it, and the method and path. */
  readonly message: string;
  /** Where the example has something that the schema does not describe: the part of the example, and the path in it. */
  readonly undescribed?: { readonly part: "params" | "result" | "value"; readonly path: string };
}

/**
 * Finds the examples that concern a schema, and checks them against it.
 *
 * @throws SchemaError that lists every example that is not valid, with method and path, holds what the schema
 * does not describe, or is of something no schema has.
 */
export function matchExamples(examples: readonly Example[], subject: ExampleSubject): Examples {
  const { found, problems } = checkExamples(examples, subject);
  if (problems.length > 0) throw new SchemaError(problems.map(({ message }) => message).join("\n"));
  return found;
}

/** The same for somebody who wants to know what each problem is about. */
export function checkExamples(
  examples: readonly Example[],
  subject: ExampleSubject,
): { readonly found: Examples; readonly problems: readonly ExampleProblem[] } {
  const { model, alsoIn = [] } = subject;
  const check = checker(subject);
  const problems: ExampleProblem[] = [];
  const methods = new Map<Method, MethodExample[]>();
  const definitions = new Map<string, DefinitionExample[]>();
  const illustrated = new Set<string>();

  for (const example of examples) {
    if (!isAbout(example, model)) {
      if (!alsoIn.some((other) => isAbout(example, other))) problems.push(unknownSubject(example));
    } else if ("method" in example) {
      const method = methodOf(example, model);
      if (method === undefined) continue;
      problems.push(...check(example, "params", method.params, example.params));
      if (method.result !== undefined) problems.push(...check(example, "result", method.result, example.result));
      add(methods, method, example);
    } else {
      const { definition, value } = example;
      problems.push(...check(example, "value", definition, value));
      const variant = variantOf(example, model);
      if (variant !== undefined) illustrated.add(`${definition}=${variant.value}`);
      add(definitions, variant?.shape.includes[0] ?? definition, example);
    }
  }
  const missing = [
    ...model.methods.filter((method) => !methods.has(method)).map(({ name, kind }) => `${name} (${kind})`),
    ...illustratedUnions
      .flatMap((name) => unionOf(name, model)?.variants.map(({ value }) => `${name}=${value}`) ?? [])
      .filter((place) => !illustrated.has(place)),
  ];
  return { found: { methods, definitions, missing }, problems };
}

/** Whether the schema has the method, or the definition and, of a tagged union, the variant. */
function isAbout(example: Example, model: ProtocolModel): boolean {
  if ("method" in example) return methodOf(example, model) !== undefined;
  const union = unionOf(example.definition, model);
  const isIllustrated = illustratedUnions.includes(example.definition) && union !== undefined;
  return model.definitions.has(example.definition) && (!isIllustrated || variantOf(example, model) !== undefined);
}

function unknownSubject(example: Example): ExampleProblem {
  const kind = "result" in example ? "request" : "notification";
  const what = "method" in example ? `a ${kind} ${example.method}` : `${example.definition}, or this variant of it`;
  return { example, message: `${example.source}: no schema has ${what}` };
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

type Part = NonNullable<ExampleProblem["undescribed"]>["part"];
type Check = (example: Example, part: Part, definition: string, value: unknown) => readonly ExampleProblem[];

function checker({ path: file = "The schema", document, model }: ExampleSubject): Check {
  const findings = new Findings();
  const { $defs } = normalizeDocument(document, findings);
  const formats = checkDefinitions($defs, findings);
  inFile(file, () => findings.problems.throwAll());
  const ajv = definitionAjv(formats, { allErrors: true, inlineRefs: false });
  const definitions = simplify($defs);
  ajv.addSchema({ $id: "acp", $defs: definitions });
  const validator = (definition: string): ValidateFunction => {
    const compile = (): ValidateFunction | undefined => ajv.getSchema(`acp#/$defs/${definition}`);
    const found = inFile(file, () => orNotTaken(definitions, formats, compile));
    if (found === undefined) throw new SchemaError(`There is no definition ${definition}`);
    return found;
  };
  return (example, part, definition, value) => {
    const validate = validator(definition);
    const what = "method" in example ? `${example.method} ${part}` : definition;
    const messageOf = (path: string, reason: string): string => `${example.source}: ${what} ${path}: ${reason}`;
    if (validate(value)) {
      return undescribed(model, definition, value).map((path) => ({
        example,
        message: messageOf(path, "not in the schema"),
        undescribed: { part, path },
      }));
    }
    const errors = (validate.errors ?? []).filter(({ keyword }) => keyword !== "if");
    return errors.map(({ instancePath, message }) => ({
      example,
      message: messageOf(instancePath === "" ? "/" : instancePath, message ?? "is invalid"),
    }));
  };
}

function add<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const values = map.get(key);
  if (values === undefined) map.set(key, [value]);
  else values.push(value);
}

import type { JSONSchema, Options } from "json-schema-to-typescript";
import { flatText, nestedText, indexType, type TypeNode } from "./type-node.ts";

/** A type to be declared. */
export interface TypeDeclaration {
  readonly name: string;
  readonly type: TypeNode;
  readonly comment: string;
}

const generator: Partial<Options> = {
  additionalProperties: false,
  bannerComment: "",
  style: { bracketSpacing: true, objectWrap: "collapse", printWidth: 120 },
  unknownAny: true,
};

/** How many declarations the type generator writes at once: it takes longer for few, and more memory for many. */
const batchSize = 25;

/** A name that no definition has: the generator starts from one type. */
const rootName = "AllOfThem";

/**
 * Declares types with json-schema-to-typescript. References are names already, so that it sees each definition alone
 * and makes up no names.
 *
 * @returns The declarations, in the order of `types`.
 */
export async function writeTypes(types: readonly TypeDeclaration[]): Promise<readonly string[]> {
  // The generator takes most of a second to load: only for those who need it.
  const { compile } = await import("json-schema-to-typescript");
  const written: string[] = [];
  for (let start = 0; start < types.length; start += batchSize) {
    const batch = types.slice(start, start + batchSize);
    const schemas = batch.map(({ name, type, comment }, index) => {
      const schema: JSONSchema = { ...prepare(type), ...(comment !== "" && { description: comment }) };
      return [standInFor(name, index), { ...schema, title: standInFor(name, index) }] as const;
    });
    const root: JSONSchema = {
      type: "object",
      properties: Object.fromEntries(schemas),
      required: schemas.map(([name]) => name),
      additionalProperties: false,
    };
    const declarations = splitDeclarations(await compile(root, rootName, generator));
    for (const [index, { name }] of batch.entries()) {
      const standIn = standInFor(name, index);
      const declaration = declarations.get(standIn);
      if (declaration === undefined) throw new Error(`No type came out for ${name}`);
      const head = new RegExp(`^(export (?:interface|type)) ${standIn}\\b`, "m");
      written.push(`${oneLineComments(withMembers(declaration.replace(head, `$1 ${name}`))).trimEnd()}\n`);
    }
  }
  return written;
}

/** A name as long as another, so that lines break in the same places, and one that the generator leaves as it is. */
function standInFor(name: string, index: number): string {
  const number = index.toString(26).padStart(2, "0");
  const letters = Array.from(number, (digit) => String.fromCharCode(97 + Number.parseInt(digit, 26))).join("");
  return `T${letters}`.padEnd(name.length, "x");
}

/** The declarations of a module, by name, each with its comment. */
function splitDeclarations(code: string): ReadonlyMap<string, string> {
  const declarations = new Map<string, string>();
  for (const part of code.split(/^(?=\/\*\*|export )/m)) {
    const name = /^export (?:interface|type) (\w+)/m.exec(part)?.[1];
    if (name === undefined) declarations.set("", part);
    else {
      declarations.set(name, `${declarations.get("") ?? ""}${part}`);
      declarations.delete("");
    }
  }
  return declarations;
}

/** A type in the dialect of the generator, in which `tsType` is TypeScript text. */
function prepare(type: TypeNode): JSONSchema {
  if (!holdsMembers(type)) return { tsType: flatText(type) };
  switch (type.kind) {
    case "array":
      return { type: "array", items: prepare(type.item) };
    case "union":
      return { anyOf: type.parts.map(prepare) };
    case "intersection":
      // A union that is text needs its parentheses.
      return { allOf: type.parts.map((part) => (holdsMembers(part) ? prepare(part) : { tsType: nestedText(part) })) };
    case "object":
      return prepareObject(type);
    default:
      return { tsType: flatText(type) };
  }
}

/** Whether a type has the members of an object in it, which have comments and break lines. */
function holdsMembers(type: TypeNode): boolean {
  switch (type.kind) {
    case "object":
      return true;
    case "array":
      return holdsMembers(type.item);
    case "union":
    case "intersection":
      return type.parts.some(holdsMembers);
    default:
      return false;
  }
}

function prepareObject(type: TypeNode & { kind: "object" }): JSONSchema {
  if (type.members.length === 0 && type.others === undefined) return { tsType: "{}" };
  const others = indexType(type);
  return {
    type: "object",
    properties: Object.fromEntries(
      type.members.map(({ name, type: inner, comment }) => [
        writable(name),
        { ...prepare(inner), ...(comment !== undefined && { description: comment }) },
      ]),
    ),
    required: type.members.filter(({ optional }) => !optional).map(({ name }) => writable(name)),
    additionalProperties: others === undefined ? false : prepare(others),
  };
}

/** The type generator asks the members themselves for this one. */
const unwritable = "hasOwnProperty";
const standIn = `$${unwritable}$`;

function writable(name: string): string {
  return name === unwritable ? standIn : name;
}

/** What the type generator wrote, with the members that it cannot write. */
function withMembers(code: string): string {
  return code.replaceAll(standIn, unwritable);
}

/** Puts a comment on one line where the generator spends three on it. */
function oneLineComments(code: string): string {
  return code.replaceAll(/\/\*\*\n\s*\* (.*)\n\s*\*\//g, (comment, written: string) =>
    written.length > 100 ? comment : `/** ${written} */`,
  );
}

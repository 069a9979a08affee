// The schema of a script of `acp fake-agent`, made of the types of @acp/testing. Run it to write the file.
import { writeFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";

import ts from "typescript-5.9";

type Schema = Readonly<Record<string, unknown>>;

export const schemaFile: string = fileURLToPath(
  new URL("../../../apps/client/schema/fake-agent.schema.json", import.meta.url),
);
const source = fileURLToPath(new URL("../../../packages/testing/src/agent/agent-options.ts", import.meta.url));

/** The schema of `AgentScript`. */
export function scriptSchema(): Schema {
  const program = ts.createProgram([source], {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    strict: true,
    types: [],
    allowImportingTsExtensions: true,
    noEmit: true,
    customConditions: ["@acp/source"],
  });
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(source);
  const module = file === undefined ? undefined : checker.getSymbolAtLocation(file);
  const root = (module === undefined ? [] : checker.getExportsOfModule(module)).find(
    ({ name }) => name === "AgentScript",
  );
  if (root === undefined) throw new Error(`There is no AgentScript in ${source}`);
  const definitions: Record<string, Schema> = {};

  function describe(symbol: ts.Symbol | undefined): Schema {
    const text = ts.displayPartsToString(symbol?.getDocumentationComment(checker)).replaceAll(/\s+/gu, " ");
    return text === "" ? {} : { description: text };
  }

  function schemaOf(type: ts.Type): Schema {
    if (type.isUnion()) return ofUnion(type.types, type.aliasSymbol);
    if (type.isStringLiteral() || type.isNumberLiteral()) return { const: type.value };
    if (type.flags & ts.TypeFlags.BooleanLiteral) return { const: checker.typeToString(type) === "true" };
    if (type.flags & ts.TypeFlags.String) return { type: "string" };
    if (type.flags & ts.TypeFlags.Number) return { type: "number" };
    if (type.flags & ts.TypeFlags.Null) return { type: "null" };
    if (type.flags & ts.TypeFlags.Unknown) return {};
    if (checker.isArrayType(type)) {
      const [item] = checker.getTypeArguments(type as ts.TypeReference);
      return { type: "array", ...(item === undefined ? {} : { items: schemaOf(item) }) };
    }
    const index = type.getStringIndexType();
    if (index !== undefined) {
      const values = schemaOf(index);
      return { type: "object", ...(Object.keys(values).length === 0 ? {} : { additionalProperties: values }) };
    }
    const name = type.symbol.name;
    if (name === "__type") return ofMembers(type);
    if (definitions[name] === undefined) {
      definitions[name] = {};
      definitions[name] = { ...describe(type.symbol), ...ofMembers(type) };
    }
    return { $ref: `#/definitions/${name}` };
  }

  function ofUnion(all: readonly ts.Type[], alias: ts.Symbol | undefined): Schema {
    const types = all.filter(({ flags }) => !(flags & ts.TypeFlags.Undefined));
    const booleans = types.filter(({ flags }) => flags & ts.TypeFlags.BooleanLiteral);
    const others = types.filter((type) => booleans.length < 2 || !booleans.includes(type));
    const schemas = [...(booleans.length === 2 ? [{ type: "boolean" }] : []), ...others.map(schemaOf)];
    const [first = {}, ...rest] = schemas;
    if (rest.length === 0) return first;
    const values = schemas.map((schema) => ("const" in schema ? schema.const : undefined));
    const union = values.includes(undefined) ? { anyOf: schemas } : { enum: values };
    if (alias === undefined || types.length < all.length) return union;
    definitions[alias.name] = { ...describe(alias), ...union };
    return { $ref: `#/definitions/${alias.name}` };
  }

  function ofMembers(type: ts.Type): Schema {
    const members = type.getProperties();
    const properties = members.map((member) => {
      return [member.name, { ...describe(member), ...schemaOf(checker.getTypeOfSymbol(member)) }];
    });
    const required = members.filter(({ flags }) => !(flags & ts.SymbolFlags.Optional)).map(({ name }) => name);
    return {
      type: "object",
      properties: Object.fromEntries(properties),
      ...(required.length === 0 ? {} : { required }),
      additionalProperties: false,
    };
  }

  const whole = ofMembers(checker.getDeclaredTypeOfSymbol(root));
  const title = "Script of acp fake-agent";
  return { $schema: "http://json-schema.org/draft-07/schema#", title, ...describe(root), ...whole, definitions };
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(schemaFile, `${JSON.stringify(scriptSchema(), undefined, 2)}\n`);

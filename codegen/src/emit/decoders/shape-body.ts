import type { AlternativesShape, EnumerationShape, IntersectionShape, Shape } from "../../model/protocol-model.ts";
import { block, type Lines, literal, pascalCase, propertyKey } from "../code.ts";
import type { DecoderModule } from "./decoder-module.ts";
import { commonKind } from "./facts.ts";
import { memberLines } from "./member-lines.ts";
import { objectBody } from "./object-body.ts";
import { resolve } from "./scalar-check.ts";

/** The body of a function `(value, notes)` that decodes a shape. */
export function shapeBody(shape: Shape, module: DecoderModule, hint: string, definition?: string): Lines {
  const check = module.check(shape);
  if (check !== undefined) {
    const refuse = `${module.use("refuse")}(notes, ${literal(check.expected)}, value)`;
    return [`return (${check.accepts("value")} ? value : ${refuse}) as never;`];
  }
  switch (shape.kind) {
    case "any":
      return ["return value as never;"];
    case "reference":
      return [`return decode${shape.name}(value, notes) as never;`];
    case "nullable":
      return [`return (value === null ? null : ${module.decoderOf(shape.shape, hint)}(value, notes)) as never;`];
    case "array":
      return module.arrayBody(shape, hint, false);
    case "tuple":
      return module.tupleBody(shape, hint);
    case "intersection":
      return intersectionBody(shape, module, hint);
    case "map":
      return module.mapBody(shape, hint);
    case "enumeration":
      return enumerationBody(shape, module, hint);
    case "alternatives":
      return [...kindGuard(shape, module), ...alternativesBody(shape, module, hint)];
    case "object":
      return objectBody(shape, module, hint, definition);
    default:
      throw new Error(`No decoder for a ${shape.kind}`);
  }
}

/** Reads a value as each part in turn: every one reads what those before made of it. */
function intersectionBody({ parts }: IntersectionShape, module: DecoderModule, hint: string): Lines {
  const lines = parts.flatMap((part, index) => [
    `out = ${module.decoderOf(part, `${hint}Part${index + 1}`)}(out, notes);`,
    `if (out === ${module.use("invalid")}) return invalid;`,
  ]);
  return ["let out: unknown = value;", ...lines, "return out as never;"];
}

function enumerationBody(shape: EnumerationShape, module: DecoderModule, hint: string): Lines {
  const values = module.constantOf(
    shape.values.map(({ value }) => value),
    `valuesOf${hint}`,
  );
  return [`return ${module.use("oneOf")}(value, notes, ${values}) as never;`];
}

/** Tries the branches in order. What a refused branch noted is withdrawn. */
export function alternativesBody(
  shape: AlternativesShape,
  module: DecoderModule,
  hint: string,
  subject = "value",
): Lines {
  const { branches, exclusive } = shape;
  const only = branches.length === 1 ? branches[0] : undefined;
  if (only !== undefined) return [`return ${module.decoderOf(only.shape, hint)}(${subject}, notes) as never;`];
  const titles = branches.map(
    (branch) => branch.title ?? (branch.shape.kind === "reference" ? branch.shape.name : branch.shape.kind),
  );
  const tried = inTurn(shape, titles, module, hint, subject);
  if (tried !== undefined) return tried;
  const lines: string[] = [];
  if (exclusive) lines.push(`let chosen: unknown = ${module.use("invalid")};`);
  const reasons: string[] = [];
  // A branch that takes anything: there is nobody to tell why the others did not fit.
  const endless = !exclusive && branches.some((branch) => branch.shape.kind === "any");
  branches.forEach((branch, index) => {
    const title = titles[index]!;
    const inTemplate = title.replaceAll(/[\\`$]/g, "\\$&");
    if (branch.shape.kind === "any" && !exclusive) {
      lines.push(`return ${subject} as never;`);
      return;
    }
    const check = module.check(branch.shape);
    if (check !== undefined && !exclusive) {
      lines.push(`if (${check.accepts(subject)}) return ${subject} as never;`);
      reasons.push(inTemplate);
      return;
    }
    const n = index + 1;
    const decoder = branchDecoder(branch.shape, shape, module, `${hint}${title}`);
    lines.push(`const since${n} = notes.issues.length;`, `const decoded${n}: unknown = ${decoder}(${subject}, notes);`);
    const withdraw = `${module.use("withdraw")}(${literal(title)}, notes, since${n})`;
    module.use("invalid");
    if (exclusive) {
      lines.push(`const reason${n} = decoded${n} === invalid ? ${withdraw} : "";`);
      lines.push(`if (decoded${n} !== invalid) {`);
      lines.push(
        `  if (chosen !== invalid) return notes.fail(${literal(`fits more than one of ${titles.join(", ")}`)});`,
      );
      lines.push(`  chosen = decoded${n};`, "}");
    } else {
      lines.push(`if (decoded${n} !== invalid) return decoded${n} as never;`);
      lines.push(endless ? `${withdraw};` : `const reason${n} = ${withdraw};`);
    }
    reasons.push(`\${reason${n}}`);
  });
  if (exclusive) lines.push("if (chosen !== invalid) return chosen as never;");
  // Compilers of others may refuse parameters that nobody uses.
  if (endless && !lines.some((line) => line.includes("notes"))) lines.unshift("void notes;");
  if (!endless) lines.push(`return notes.fail(\`fits none of ${reasons.join(", ")}\`);`);
  return lines;
}

/** The branches behind checks, where these come first and all that is left can be told apart by name; most are like that. */
function inTurn(
  shape: AlternativesShape,
  titles: readonly string[],
  module: DecoderModule,
  hint: string,
  subject: string,
): Lines | undefined {
  const { branches, exclusive } = shape;
  const checks = branches.map((branch) => module.check(branch.shape));
  const first = checks.indexOf(undefined);
  const others = titles.slice(first);
  const isPlain = others.every((title, index) => !/^\d+$/.test(title) && others.indexOf(title) === index);
  const isAny = branches.some((branch) => branch.shape.kind === "any");
  if (exclusive || isAny || first < 0 || checks.slice(first).some(Boolean) || !isPlain) return undefined;
  const decoders = branches.slice(first).map((branch, index) => {
    const title = others[index]!;
    return `${propertyKey(title)}: ${branchDecoder(branch.shape, shape, module, `${hint}${title}`)}`;
  });
  const checked = titles.slice(0, first).map((title) => `${title}, `);
  const args = [subject, "notes", `{ ${decoders.join(", ")} }`, ...(first === 0 ? [] : [literal(checked.join(""))])];
  return [
    ...checks.slice(0, first).map((check) => `if (${check!.accepts(subject)}) return ${subject} as never;`),
    `return ${module.use("firstOf")}(${args.join(", ")}) as never;`,
  ];
}

/**
 * The decoder of a branch. Where other branches may have to read the same parts, what is cheap to check comes first: the
 * members that it requires and that have no parts.
 */
function branchDecoder(branch: Shape, { branches }: AlternativesShape, module: DecoderModule, hint: string): string {
  const decoder = module.decoderOf(branch, hint);
  const target = resolve(branch, module.model);
  if (target.kind !== "object" || !module.graph.doubles(branches.map(({ shape }) => shape))) return decoder;
  const cheap = target.members.filter(
    ({ shape, required, nullable, defaultOnError, defaultOnNull }) =>
      required && !nullable && !defaultOnError && !defaultOnNull && module.check(shape) !== undefined,
  );
  if (cheap.length === 0 || cheap.length === target.members.length) return decoder;
  return module.privateFunction(
    `cheap ${decoder}`,
    `try${pascalCase(decoder.replace(/^(?:decode|read)/, ""))}`,
    (name) =>
      block(`function ${name}(value: unknown, notes: Notes): unknown`, [
        `if (!${module.use("isFields")}(value)) return ${module.use("refuseObject")}(value, notes);`,
        ...cheap.flatMap((member) => memberLines(member, module, hint)),
        `return ${decoder}(value, notes);`,
      ]),
  );
}

/** Where all branches are objects, or all arrays, other values get a plain reason. */
function kindGuard(shape: AlternativesShape, module: DecoderModule): Lines {
  if (shape.branches.length === 1) return [];
  const kind = commonKind(shape, module.model);
  const refuse = (expected: string): string => `return ${module.use("refuse")}(notes, ${literal(expected)}, value);`;
  if (kind === "object") {
    return [`if (!${module.use("isFields")}(value)) return ${module.use("refuseObject")}(value, notes);`];
  }
  return kind === "array" ? [`if (!Array.isArray(value)) ${refuse("an array")}`] : [];
}

import type { AlternativesShape, EnumerationShape, Shape } from "../../model/protocol-model.ts";
import { type Lines, literal } from "../code.ts";
import type { DecoderModule } from "./decoder-module.ts";
import { commonKind } from "./facts.ts";
import { objectBody } from "./object-body.ts";

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
    case "map":
      return module.mapBody(shape, hint);
    case "enumeration":
      return enumerationBody(shape, module, hint);
    case "alternatives":
      return alternativesBody(shape, module, hint);
    case "object":
      return objectBody(shape, module, hint, definition);
    default:
      throw new Error(`No decoder for a ${shape.kind}`);
  }
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
  const lines: string[] = [...kindGuard(shape, module, subject)];
  if (exclusive) lines.push(`let chosen: unknown = ${module.use("invalid")};`);
  const reasons: string[] = [];
  // A branch that takes anything: there is nobody to tell why the others did not fit.
  const endless = !exclusive && branches.some((branch) => branch.shape.kind === "any");
  branches.forEach((branch, index) => {
    const title = titles[index]!;
    if (branch.shape.kind === "any" && !exclusive) {
      lines.push(`return ${subject} as never;`);
      return;
    }
    const check = module.check(branch.shape);
    if (check !== undefined && !exclusive) {
      lines.push(`if (${check.accepts(subject)}) return ${subject} as never;`);
      reasons.push(title);
      return;
    }
    const n = index + 1;
    const decoder = module.decoderOf(branch.shape, `${hint}${title}`);
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
  if (!endless) lines.push(`return notes.fail(\`fits none of ${reasons.join(", ")}\`);`);
  return lines;
}

/** Where all branches are objects, or all arrays, other values get a plain reason. */
function kindGuard(shape: AlternativesShape, module: DecoderModule, subject: string): Lines {
  if (subject !== "value") return [];
  const kind = commonKind(shape, module.model);
  const refuse = (expected: string): string => `return ${module.use("refuse")}(notes, ${literal(expected)}, value);`;
  if (kind === "object") {
    return [`if (!${module.use("isFields")}(value)) return ${module.use("refuseObject")}(value, notes);`];
  }
  return kind === "array" ? [`if (!Array.isArray(value)) ${refuse("an array")}`] : [];
}

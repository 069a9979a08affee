import type { AlternativesShape, ObjectShape } from "../../model/protocol-model.ts";
import type { Lines } from "../code.ts";
import type { DecoderModule } from "./decoder-module.ts";
import { canBeUnknown, commonMembers } from "./facts.ts";
import { memberLines } from "./member-lines.ts";
import { alternativesBody } from "./shape-body.ts";
import { unionLines } from "./union-lines.ts";

/**
 * The body of an object's decoder: members, then included definitions, then the union beside them, each reading
 * what the ones before made of the object.
 */
export function objectBody(shape: ObjectShape, module: DecoderModule, hint: string, definition?: string): Lines {
  const guard = `if (!${module.use("isFields")}(value)) return ${module.use("refuseObject")}(value, notes);`;
  const members = shape.members.flatMap((member) => memberLines(member, module, hint));
  const includes = shape.includes.flatMap((name) => includeLines(name, shape, module, hint));
  const writes = [...members, ...otherLines(shape, module, hint), ...includes];
  const copies = writes.some((line) => /^\s*(if \(.*\) )?(\} else )?(if \(.*\) )?out = /.test(line));
  const fallible = writes.some((line) => line.includes("out === invalid"));
  const declaration = fallible
    ? `let out: Fields | typeof ${module.use("invalid")} = value;`
    : "let out: Fields = value;";
  if (copies) module.use("Fields");
  const subject = copies ? "out" : "value";
  return [guard, ...(copies ? [declaration] : []), ...writes, ...tail(shape, module, hint, subject, definition)];
}

function tail(shape: ObjectShape, module: DecoderModule, hint: string, subject: string, definition?: string): Lines {
  if (shape.union === undefined) return [`return ${subject} as never;`];
  if (shape.union.kind === "tagged") return unionLines(shape, shape.union, module, hint, subject, definition);
  if (!canBeUnknown(shape.union, module.model)) {
    return alternativesBody(ofObjects(shape.union, module), module, hint, subject);
  }
  const decoder = module.decoderOf(shape.union, `${hint}Alternatives`);
  const keys = module.constantOf(commonMembers(shape, module.model), `keysOf${hint}`);
  return [`return ${module.use("surround")}(${decoder}(${subject}, notes), ${subject}, value, ${keys}) as never;`];
}

/** A union without the branches that no object fits; nobody could compare one with them in TypeScript. */
function ofObjects(union: AlternativesShape, module: DecoderModule): AlternativesShape {
  const branches = union.branches.filter(({ shape }) => module.check(shape)?.expected.includes("an object") ?? true);
  return branches.length === 0 ? union : { ...union, branches };
}

/** Members without a name, where the schema says what they are. */
function otherLines({ members, others, tag }: ObjectShape, module: DecoderModule, hint: string): Lines {
  if (others === undefined || others.kind === "any") return [];
  const named = module.constantOf(
    [...members.map(({ name }) => name), ...(tag === undefined ? [] : [tag])],
    `namesOf${hint}`,
  );
  const decoder = module.decoderOf(others, `${hint}Other`);
  return [
    `out = ${module.use("otherMembers")}(value, out, ${named}, ${decoder}, notes);`,
    `if (out === ${module.use("invalid")}) return invalid;`,
  ];
}

function includeLines(name: string, shape: ObjectShape, module: DecoderModule, hint: string): Lines {
  const target = module.model.definitions.get(name)!;
  let read = `decode${name}(out, notes) as Fields | typeof invalid`;
  if (canBeUnknown(target.shape, module.model, name)) {
    // Not its own members: what it made of them, it has said itself.
    const others = { ...shape, includes: shape.includes.filter((other) => other !== name) };
    const keys = module.constantOf(commonMembers(others, module.model), `keysOf${hint}Beside${name}`);
    read = `${module.use("surround")}(decode${name}(out, notes), out, value, ${keys})`;
  }
  return [`out = ${read};`, `if (out === ${module.use("invalid")}) return invalid;`];
}

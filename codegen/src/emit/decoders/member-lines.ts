import type { Member, Shape } from "../../model/protocol-model.ts";
import { block, type Lines, literal, pascalCase } from "../code.ts";
import type { DecoderModule } from "./decoder-module.ts";
import { commonKind } from "./facts.ts";
import { resolve, type ScalarCheck } from "./scalar-check.ts";

/** The statements that read one member of `value`; they replace `out` by a copy where something changes. */
export function memberLines(member: Member, module: DecoderModule, hint: string): Lines {
  const given = access("value", member.name, module);
  const key = literal(member.name);
  const missing = (): string =>
    `if (${given} === undefined) return ${module.use("refuseAt")}(notes, value, ${key}, "a value");`;
  if (resolve(member.shape, module.model).kind === "any") return member.required ? [missing()] : [];
  const read = readLines(member, module, hint, given);
  // A tolerant member that is required may be bad, but not absent. And branches tried in turn refuse what is absent
  // each in its own words.
  const unsaid = member.defaultOnError || isTriedInTurn(member.shape, module);
  const lines = member.required && unsaid ? [missing(), ...read] : read;
  if (!member.defaultOnNull) return lines;
  const empty = member.shape.kind === "array" ? "[]" : "{}";
  const put = `out = ${module.use("put")}(value, out, ${key}, ${empty});`;
  return [`if (${given} === null) ${put}`, ...block("else", lines)];
}

/** Whether a member's branches are tried in order, whatever the kind of the value. */
export function isTriedInTurn(shape: Shape, module: DecoderModule): boolean {
  const resolved = resolve(shape, module.model);
  if (module.check(shape) !== undefined) return false;
  return resolved.kind === "alternatives" && commonKind(resolved, module.model) === undefined;
}

/**
 * `value["name"]`, safe for names that every object inherits. With a dot it would not compile for those who have
 * `noPropertyAccessFromIndexSignature`; minifiers write it with one.
 */
export function access(subject: string, name: string, module: DecoderModule): string {
  if (name in {}) return `${module.use("own")}(${subject}, ${literal(name)})`;
  return `${subject}[${literal(name)}]`;
}

function readLines(member: Member, module: DecoderModule, hint: string, given: string): Lines {
  const key = literal(member.name);
  const present = presence(member, given);
  const check = module.check(member.shape);
  if (check !== undefined) return [scalarLine(member, check, module, given, present)];
  const decoder = module.decoderOf(member.shape, hint + pascalCase(member.name), member.skipInvalidItems);
  if (member.defaultOnError) {
    const fallback = fallbackOf(member, module);
    const more = fallback === undefined ? "" : `, ${module.makerOf(fallback, hint + pascalCase(member.name))}`;
    const line = `out = ${module.use("tolerant")}(value, out, ${key}, ${decoder}, notes${more});`;
    return [present === undefined ? line : `if (${present}) ${line}`];
  }
  const lines = [
    `out = ${module.use("member")}(value, out, ${key}, ${given}, ${decoder}, notes);`,
    `if (out === ${module.use("invalid")}) return invalid;`,
  ];
  return present === undefined ? lines : block(`if (${present})`, lines);
}

function scalarLine(
  member: Member,
  check: ScalarCheck,
  module: DecoderModule,
  given: string,
  present: string | undefined,
): string {
  const key = literal(member.name);
  const expected = literal(check.expected);
  const isString = check.expected === "a string";
  const bad = [present, check.refuses(given)].filter((condition) => condition !== undefined).join(" && ");
  if (!member.defaultOnError) {
    const refuse = isString
      ? `${module.use("refuseString")}(notes, value, ${key})`
      : `${module.use("refuseAt")}(notes, value, ${key}, ${expected})`;
    return `if (${bad}) return ${refuse};`;
  }
  const fallback = fallbackOf(member, module);
  if (fallback === undefined && module.isFrequent(member)) {
    const reader = module.privateFunction(
      `member ${memberKey(member)}`,
      `optional${pascalCase(member.name)}`,
      (name) => {
        const replace = `${module.use("replaced")}(value, out, ${key}, ${expected}, notes)`;
        const head = `function ${name}(value: ${module.use("Fields")}, out: Fields, notes: Notes): Fields`;
        return block(head, [`return ${check.accepts(given)} ? out : ${replace};`]);
      },
    );
    return `if (${present}) out = ${reader}(value, out, notes);`;
  }
  const more = fallback === undefined ? "" : `, ${literal(fallback)}`;
  const replace =
    isString && fallback === undefined
      ? `${module.use("replacedString")}(value, out, ${key}, notes)`
      : `${module.use("replaced")}(value, out, ${key}, ${expected}, notes${more})`;
  return `if (${bad}) out = ${replace};`;
}

/** What two members have to have in common to be read by the same function. */
export function memberKey(member: Member): string {
  const { docs: _, deprecated: __, ...rest } = member;
  return JSON.stringify(rest);
}

/** The condition under which there is something to read. */
function presence(member: Member, given: string): string | undefined {
  if (member.required) return member.nullable ? `${given} !== null` : undefined;
  return member.nullable ? `${given} != null` : `${given} !== undefined`;
}

/** What stands for a member that does not decode; `undefined` if it is left out. */
export function fallbackOf(member: Member, module: DecoderModule): unknown {
  const { required, nullable } = member;
  const isScalar = module.check(member.shape) !== undefined;
  const given = isScalar ? member.default : (member.default ?? undefined);
  if (given !== undefined || !required) return given;
  if (nullable) return null;
  return isScalar ? {} : [];
}

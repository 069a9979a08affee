import type { Branch, ObjectShape, TaggedUnion } from "../../model/protocol-model.ts";
import { indent, type Lines, literal, pascalCase } from "../code.ts";
import type { DecoderModule } from "./decoder-module.ts";
import { canBeUnknown, commonMembers, readsUnknown } from "./facts.ts";
import { access } from "./member-lines.ts";

/** The end of an object's decoder when a tagged union stands beside its members: a `switch` on the tag. */
export function unionLines(
  shape: ObjectShape,
  union: TaggedUnion,
  module: DecoderModule,
  hint: string,
  subject: string,
  definition?: string,
): Lines {
  const opened = definition !== undefined && module.model.openUnions.includes(definition);
  const common = commonMembers(shape, module.model);
  const tag = literal(union.tag);
  const given = access(subject, union.tag, module);

  // Puts back what an unknown variant further in would lose. The tag itself is lost when it is the unknown one.
  const complete = (decoded: string, keys: readonly string[]): string =>
    keys.length === 0 && subject === "value"
      ? decoded
      : `${module.use("surround")}(${decoded}, ${subject}, value, ${literal(keys)})`;
  const read = (branch: Branch, name: string): string => {
    const decoder = branchDecoder(branch, module, hint + pascalCase(name));
    if (decoder === undefined) return subject;
    const decoded = `${decoder}(${subject}, notes)`;
    if (!canBeUnknown(branch.shape, module.model)) return decoded;
    // A list of its own: this is on the way of messages that are as expected.
    const keys = module.constantOf([...common, union.tag], `keysOf${hint}`);
    return `${module.use("surround")}(${decoded}, ${subject}, value, ${keys})`;
  };

  const cases = new Map<string, string[]>();
  for (const variant of union.variants) add(cases, read(variant, variant.value), [`case ${literal(variant.value)}:`]);
  if (union.fallback !== undefined) {
    const { value, title } = union.fallback;
    const labels = ["case undefined:", "case null:", ...(typeof value === "string" ? [`case ${literal(value)}:`] : [])];
    add(cases, read(union.fallback, title ?? "Untagged"), labels);
  }

  const readsAll = opened && readsUnknown(union) ? union.fallback : undefined;
  const unknown = (): string => {
    const args = `${subject}, ${tag}, notes`;
    const untagged = readsAll && (branchDecoder(readsAll, module, `${hint}Untagged`) ?? module.use("readAny"));
    const kept = untagged
      ? `${module.use("unknownLike")}(${untagged}, ${args})`
      : `${module.use(union.other === undefined ? "unknownTag" : "otherTag")}(${args})`;
    return `return ${complete(kept, common)} as never;`;
  };
  const rest =
    opened || union.other !== undefined
      ? [...otherLines(union.other, module, hint, given, tag, subject), unknown()]
      : [closed(union, module, subject, tag)];

  const keepsUnreadable = opened && readsAll === undefined;
  const leave = (result: string): Lines =>
    keepsUnreadable ? [`decoded = ${result};`, "break;"] : [`return ${result} as never;`];
  const lines = [
    `switch (${given}) {`,
    ...[...cases].flatMap(([result, labels]) => [...indent(labels), ...indent(indent(leave(result)))]),
    "  default:",
    ...indent(indent(rest)),
    "}",
  ];
  if (!keepsUnreadable) return lines;
  const kept = `${module.use("unreadable")}(${subject}, ${tag}, notes, since)`;
  return [
    "const since = notes.issues.length;",
    "let decoded: unknown;",
    ...lines,
    `return (decoded === ${module.use("invalid")} ? ${complete(kept, common)} : decoded) as never;`,
  ];
}

/** Variants that read the same way share a case. */
function add(cases: Map<string, string[]>, result: string, labels: readonly string[]): void {
  const known = cases.get(result);
  if (known === undefined) cases.set(result, [...labels]);
  else known.push(...labels);
}

/** The one definition that a branch consists of, if it is one. */
export function payloadOf({ shape }: Branch): string | undefined {
  const [name, ...more] = shape.includes;
  const isBare = shape.members.length === 0 && shape.union === undefined && !checksOthers(shape);
  return isBare && more.length === 0 ? name : undefined;
}

/** Whether a branch asks for nothing but the tag. */
export function isNothingBut({ shape }: Branch): boolean {
  return shape.members.length + shape.includes.length === 0 && shape.union === undefined && !checksOthers(shape);
}

function checksOthers({ others }: ObjectShape): boolean {
  return others !== undefined && others.kind !== "any";
}

/** The decoder of a branch; `undefined` when it asks for nothing but the tag. */
function branchDecoder(branch: Branch, module: DecoderModule, hint: string): string | undefined {
  const payload = payloadOf(branch);
  if (payload !== undefined) return `decode${payload}`;
  return isNothingBut(branch) ? undefined : module.decoderOf(branch.shape, hint);
}

/** The branch for unknown variants may ask for members of its own. They stay inside `received`. */
function otherLines(
  other: Branch | undefined,
  module: DecoderModule,
  hint: string,
  given: string,
  tag: string,
  subject: string,
): Lines {
  const decoder = other === undefined ? undefined : branchDecoder(other, module, `${hint}Other`);
  if (decoder === undefined) return [];
  return [
    `if (typeof ${given} !== "string") return ${module.use("refuseString")}(notes, ${subject}, ${tag});`,
    "const known = notes.issues.length;",
    `if (${decoder}(${subject}, notes) === ${module.use("invalid")}) return invalid;`,
    "notes.issues.length = known;",
  ];
}

function closed(union: TaggedUnion, module: DecoderModule, subject: string, tag: string): string {
  const values = union.variants.map(({ value }) => literal(value));
  if (typeof union.fallback?.value === "string") values.push(literal(union.fallback.value));
  const expected = literal(`one of ${values.join(", ")}`);
  return `return ${module.use("refuseAt")}(notes, ${subject}, ${tag}, ${expected});`;
}

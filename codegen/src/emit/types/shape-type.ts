import type {
  AlternativesShape,
  Branch,
  Definition,
  Member,
  ObjectShape,
  ProtocolModel,
  Shape,
  TaggedUnion,
} from "../../model/protocol-model.ts";
import { commentOf } from "./comment.ts";
import { intersect, text, type TypeMember, type TypeNode, unite } from "./type-node.ts";

/** What differs between the types one sends and the types one receives. */
export interface Family {
  readonly model: ProtocolModel;
  /** Whether a tagged union gets a member for unknown variants. */
  readonly isOpen: (union: TaggedUnion) => boolean;
  /** Whether a definition holds the one that is being written. */
  readonly leadsBack: (definition: string) => boolean;
}

/** The type of a definition. */
export function definitionType({ shape }: Definition, family: Family): TypeNode {
  return typeOf(shape, family);
}

function typeOf(shape: Shape, family: Family): TypeNode {
  switch (shape.kind) {
    case "any":
      return text("unknown");
    case "never":
    case "string":
    case "boolean":
    case "null":
      return text(shape.kind);
    case "integer":
    case "number":
      return text("number");
    case "constant":
      return text(JSON.stringify(shape.value));
    case "enumeration": {
      const values = shape.values.map(({ value }) => text(JSON.stringify(value)));
      const open = shape.open === undefined ? [] : [text(`(${shape.base === "string" ? "string" : "number"} & {})`)];
      return unite([...values, ...open]);
    }
    case "array":
      return { kind: "array", item: typeOf(shape.items, family) };
    case "tuple": {
      const items = shape.items.map((item, index) => ({
        type: typeOf(item, family),
        optional: index >= shape.minItems,
      }));
      const rest = shape.rest.kind === "never" ? undefined : typeOf(shape.rest, family);
      return { kind: "tuple", items, ...(rest && { rest }) };
    }
    case "map":
      return mapType(shape.values, family);
    case "reference":
      return text(shape.name);
    case "nullable":
      return unite([typeOf(shape.shape, family), text("null")]);
    case "intersection":
      return intersect(shape.parts.map((part) => typeOf(part, family)));
    case "alternatives":
      return unite(shape.branches.map((branch) => typeOf(branch.shape, family)));
    default:
      return objectType(shape, family);
  }
}

/** An object without named members: any keys. */
function mapType(values: Shape, family: Family): TypeNode {
  const type = typeOf(values, family);
  // TypeScript lets a type contain itself in an index signature, not as an argument of Record.
  const isPlain = type.kind === "text" && !(values.kind === "reference" && family.leadsBack(values.name));
  return isPlain ? { kind: "record", values: type } : { kind: "object", members: [], others: type };
}

function objectType(shape: ObjectShape, family: Family): TypeNode {
  const { union, includes } = shape;
  const included = includes.map(text);
  if (union === undefined) {
    const own = shape.members.length + includes.length === 0 || shape.members.length > 0 || shape.others !== undefined;
    return intersect([...(own ? [membersType(shape.members, shape.others, family)] : []), ...included]);
  }
  const branches = union.kind === "tagged" ? taggedTypes(shape, union, family) : plainTypes(shape, union, family);
  return intersect([unite(branches), ...included]);
}

function membersType(members: readonly Member[], others: Shape | undefined, family: Family): TypeNode {
  if (members.length === 0) return mapType(others ?? { kind: "any" }, family);
  return {
    kind: "object",
    members: members.map((member) => typeMember(member, family)),
    ...(others !== undefined && { others: typeOf(others, family) }),
  };
}

function typeMember(member: Member, family: Family): TypeMember {
  const type = typeOf(member.shape, family);
  return {
    name: member.name,
    optional: !member.required,
    type: member.nullable ? unite([type, text("null")]) : type,
    comment: commentOf(member),
  };
}

/** The variants of a tagged union: the tag first, then the members beside the union, then those of the variant. */
function taggedTypes(shape: ObjectShape, union: TaggedUnion, family: Family): TypeNode[] {
  const beside = shape.members.filter(({ name }) => name !== union.tag);
  const branchType = (branch: Branch, tag: TypeMember | undefined): TypeNode => {
    const own = branch.shape.members.filter(({ name }) => name !== union.tag);
    const members = [...(tag ? [tag] : []), ...mergeMembers(beside, own).map((member) => typeMember(member, family))];
    const object: TypeNode[] =
      members.length === 0 && branch.shape.includes.length > 0
        ? []
        : [{ kind: "object", members, ...othersOf(shape, branch.shape, family) }];
    const inner = branch.shape.union;
    return intersect([
      ...object,
      ...branch.shape.includes.map(text),
      ...(inner === undefined ? [] : [objectType({ kind: "object", members: [], includes: [], union: inner }, family)]),
    ]);
  };
  const comment = ({ docs }: Branch): string | undefined => commentOf({ ...(docs !== undefined && { docs }) });
  const types = union.variants.map((variant) => {
    const tag = {
      name: union.tag,
      optional: false,
      type: text(JSON.stringify(variant.value)),
      comment: comment(variant),
    };
    return branchType(variant, variant.isCarried ? undefined : tag);
  });
  const { fallback } = union;
  if (fallback !== undefined) {
    const type = text(typeof fallback.value === "string" ? JSON.stringify(fallback.value) : "null");
    types.push(branchType(fallback, { name: union.tag, optional: true, type, comment: comment(fallback) }));
  }
  if (family.isOpen(union)) types.push(unknownType(beside, union, family));
  return types;
}

/**
 * An unknown variant, with the members beside the union. A variant counts as unknown also when it cannot be read: it may
 * then lack required members. If the branch without a tag reads unknown variants, they have its members.
 */
function unknownType(beside: readonly Member[], union: TaggedUnion, family: Family): TypeNode {
  const unknown = text(`UnknownVariant<${JSON.stringify(union.tag)}>`);
  const untagged = union.other === undefined ? union.fallback : undefined;
  const all = mergeMembers(beside, untagged?.shape.members ?? []).filter(({ name }) => name !== union.tag);
  const members = all.filter(({ required }) => untagged !== undefined || !required);
  const own = members.length === 0 ? [] : [membersType(members, undefined, family)];
  return intersect([unknown, ...own, ...(untagged?.shape.includes ?? []).map(text)]);
}

/** The branches of a union without a tag, each with the members beside the union in front of its own. */
function plainTypes(shape: ObjectShape, union: AlternativesShape, family: Family): TypeNode[] {
  return union.branches.map(({ shape: branch }) => {
    if (shape.members.length === 0 && shape.others === undefined) return typeOf(branch, family);
    if (branch.kind !== "object") {
      return intersect([membersType(shape.members, shape.others, family), typeOf(branch, family)]);
    }
    const members = mergeMembers(shape.members, branch.members);
    const object: TypeNode = {
      kind: "object",
      members: members.map((member) => typeMember(member, family)),
      ...othersOf(shape, branch, family),
    };
    const inner = branch.union;
    return intersect([
      object,
      ...branch.includes.map(text),
      ...(inner === undefined ? [] : [objectType({ kind: "object", members: [], includes: [], union: inner }, family)]),
    ]);
  });
}

function othersOf(shape: ObjectShape, branch: ObjectShape, family: Family): { readonly others?: TypeNode } {
  const others = branch.others ?? shape.others;
  return others === undefined ? {} : { others: typeOf(others, family) };
}

/** The members of both; a branch may require what is described beside it. */
function mergeMembers(beside: readonly Member[], own: readonly Member[]): readonly Member[] {
  const members = new Map(beside.map((member) => [member.name, member]));
  for (const member of own) {
    const known = members.get(member.name);
    const onlyRequires = known !== undefined && member.shape.kind === "any" && member.required;
    members.set(member.name, onlyRequires ? { ...known, required: true } : member);
  }
  return [...members.values()];
}

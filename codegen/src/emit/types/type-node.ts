import { isIdentifier } from "../code.ts";

/** A type as a tree. */
export type TypeNode =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "object"; readonly members: readonly TypeMember[]; readonly others?: TypeNode }
  | { readonly kind: "union" | "intersection"; readonly parts: readonly TypeNode[] }
  | { readonly kind: "array"; readonly item: TypeNode }
  | { readonly kind: "tuple"; readonly items: readonly TypeItem[]; readonly rest?: TypeNode }
  | { readonly kind: "record"; readonly values: TypeNode };

/** A member of an object type. */
export interface TypeMember {
  readonly name: string;
  readonly optional: boolean;
  readonly type: TypeNode;
  /** The lines of its doc comment, without the marks. */
  readonly comment?: string | undefined;
}

/** An item of a tuple type. */
export interface TypeItem {
  readonly type: TypeNode;
  readonly optional: boolean;
}

/** A type given as its TypeScript text. */
export function text(written: string): TypeNode {
  return { kind: "text", text: written };
}

/** The union of some types, each of them once; `never` without any. */
export function unite(parts: readonly TypeNode[]): TypeNode {
  return join("union", parts, "never");
}

/** The intersection of some types; `unknown` without any. */
export function intersect(parts: readonly TypeNode[]): TypeNode {
  return join("intersection", parts, "unknown");
}

function join(kind: "union" | "intersection", parts: readonly TypeNode[], empty: string): TypeNode {
  const flat = parts.flatMap((part) => (part.kind === kind ? part.parts : [part]));
  const unique = new Map(flat.map((part) => [JSON.stringify(part), part]));
  const [first, ...more] = unique.values();
  if (first === undefined) return text(empty);
  return more.length === 0 ? first : { kind, parts: [...unique.values()] };
}

/** A type on one line, without the comments of its members. */
export function flatText(type: TypeNode): string {
  switch (type.kind) {
    case "text":
      return type.text;
    case "record":
      return `Record<string, ${flatText(type.values)}>`;
    case "array":
      return `${nestedText(type.item)}[]`;
    case "tuple": {
      const items = type.items.map(({ type: item, optional }) => (optional ? `${nestedText(item)}?` : flatText(item)));
      return `[${[...items, ...(type.rest ? [`...${nestedText(type.rest)}[]`] : [])].join(", ")}]`;
    }
    case "object": {
      const members = type.members.map(
        ({ name, optional, type: inner }) => `${memberName(name)}${optional ? "?" : ""}: ${flatText(inner)}`,
      );
      const others = indexType(type);
      if (others !== undefined) members.push(`[k: string]: ${flatText(others)}`);
      return members.length === 0 ? "{}" : `{ ${members.join("; ")} }`;
    }
    default:
      return type.parts.map(nestedText).join(type.kind === "union" ? " | " : " & ");
  }
}

/** The same as part of another type: in parentheses where it needs them. */
export function nestedText(type: TypeNode): string {
  const written = flatText(type);
  return type.kind === "union" || type.kind === "intersection" ? `(${written})` : written;
}

/** What the index signature of an object says: every member has to be of its type. */
export function indexType({ members, others }: TypeNode & { kind: "object" }): TypeNode | undefined {
  if (others === undefined || (others.kind === "text" && others.text === "unknown")) return others;
  const optional = members.some((member) => member.optional) ? [text("undefined")] : [];
  return unite([others, ...members.map(({ type }) => type), ...optional]);
}

function memberName(name: string): string {
  return isIdentifier(name) ? name : JSON.stringify(name);
}

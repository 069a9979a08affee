import { indent, isIdentifier, type Lines } from "../code.ts";

/** A type as a tree, to be written on one line or on several. */
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

const width = 120;

/** A type that is written as it stands. */
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

/** A declaration of a type: an interface where it is an object, else an alias. */
export function declareType(name: string, type: TypeNode): Lines {
  if (type.kind === "object") return [`export interface ${name} {`, ...indent(memberLines(type)), "}"];
  return attach(`export type ${name} =`, type, ";");
}

/** A type after a head that ends with `=` or `:`, on one line if it fits there. */
function attach(head: string, type: TypeNode, end: string): Lines {
  const flat = flatText(type);
  if (flat !== undefined && head.length + flat.length + end.length + 1 <= width) return [`${head} ${flat}${end}`];
  if (type.kind === "union") {
    if (flat !== undefined && flat.length + end.length + 2 <= width) return [head, `  ${flat}${end}`];
    const parts = type.parts.flatMap((part) => {
      const [first = "", ...more] = nested(part);
      return [`| ${first}`, ...more.map((line) => (line === "" ? "" : `  ${line}`))];
    });
    return append([head, ...indent(parts)], end);
  }
  const [first = "", ...more] = linesOf(type);
  return append([`${head} ${first}`, ...more], end);
}

/** A type on one line; `undefined` where a comment or a long object needs several. */
function flatText(type: TypeNode): string | undefined {
  switch (type.kind) {
    case "text":
      return type.text;
    case "record": {
      const values = flatText(type.values);
      return values === undefined ? undefined : `Record<string, ${values}>`;
    }
    case "array": {
      const item = flatText(type.item);
      return item === undefined ? undefined : `${parenthesize(type.item, item)}[]`;
    }
    case "tuple": {
      const items = type.items.map((item) => flatItem(item));
      const rest = type.rest === undefined ? undefined : flatText(type.rest);
      if (items.includes(undefined) || (type.rest !== undefined && rest === undefined)) return undefined;
      const all = type.rest === undefined ? items : [...items, `...${parenthesize(type.rest, rest!)}[]`];
      return `[${all.join(", ")}]`;
    }
    case "object": {
      if (type.members.some(({ comment }) => comment !== undefined)) return undefined;
      const members = [...type.members, ...othersOf(type)].map(({ name, optional, type: inner }) => {
        const flat = flatText(inner);
        return flat === undefined ? undefined : `${memberName(name)}${optional ? "?" : ""}: ${flat}`;
      });
      if (members.length === 0) return "{}";
      return members.includes(undefined) ? undefined : `{ ${members.join("; ")} }`;
    }
    default: {
      const parts = type.parts.map((part) => {
        const flat = flatText(part);
        if (flat === undefined) return undefined;
        return part.kind === "union" || part.kind === "intersection" ? `(${flat})` : flat;
      });
      return parts.includes(undefined) ? undefined : parts.join(type.kind === "union" ? " | " : " & ");
    }
  }
}

function flatItem({ type, optional }: TypeItem): string | undefined {
  const flat = flatText(type);
  return flat === undefined || !optional ? flat : `${parenthesize(type, flat)}?`;
}

function parenthesize(type: TypeNode, flat: string): string {
  return type.kind === "union" || type.kind === "intersection" ? `(${flat})` : flat;
}

/** A type on as many lines as it needs. */
function linesOf(type: TypeNode): Lines {
  const flat = flatText(type);
  switch (type.kind) {
    case "object":
      return ["{", ...indent(memberLines(type)), "}"];
    case "array":
      return append(nested(type.item), "[]");
    case "record":
      return append(attach("Record<string,", type.values, ""), ">");
    case "intersection": {
      // Objects hang together: `{ … } & Name`.
      const lines: string[] = [];
      for (const part of type.parts) {
        const [first = "", ...more] = nested(part);
        if (lines.length === 0) lines.push(first, ...more);
        else lines.push(`${lines.pop()} & ${first}`, ...more);
      }
      return lines;
    }
    case "tuple": {
      const items = type.items.map(({ type: item, optional }) => append(nested(item), optional ? "?," : ","));
      const rest = type.rest === undefined ? [] : prepend("...", append(nested(type.rest), "[],"));
      return ["[", ...indent([...items.flat(), ...rest]), "]"];
    }
    case "union": {
      if (flat !== undefined) return [flat];
      return type.parts.flatMap((part) => prepend("| ", nested(part)));
    }
    default:
      return [flat ?? ""];
  }
}

/** A part of a type, in parentheses if it is made of several. */
function nested(type: TypeNode): Lines {
  const flat = flatText(type);
  if (flat !== undefined && flat.length <= width - 20) return [parenthesize(type, flat)];
  if (type.kind !== "union" && type.kind !== "intersection") return linesOf(type);
  return append(prepend("(", linesOf(type)), ")");
}

function prepend(start: string, lines: Lines): Lines {
  const [first = "", ...more] = lines;
  return [`${start}${first}`, ...more];
}

function append(lines: Lines, end: string): Lines {
  return [...lines.slice(0, -1), `${lines.at(-1) ?? ""}${end}`];
}

function othersOf({ members, others }: TypeNode & { kind: "object" }): readonly TypeMember[] {
  if (others === undefined) return [];
  // What an index signature says, every member has to be.
  const types = members.map(({ type }) => type);
  const optional = members.some((member) => member.optional) ? [text("undefined")] : [];
  const isAny = others.kind === "text" && others.text === "unknown";
  const type = isAny ? others : unite([others, ...types, ...optional]);
  return [{ name: "[k: string]", optional: false, type }];
}

function memberLines(type: TypeNode & { kind: "object" }): Lines {
  return [...type.members, ...othersOf(type)].flatMap(({ name, optional, type: inner, comment }) => [
    ...(comment === undefined ? [] : commentLines(comment)),
    ...attach(`${memberName(name)}${optional ? "?" : ""}:`, inner, ";"),
  ]);
}

function memberName(name: string): string {
  if (name === "[k: string]" || isIdentifier(name)) return name;
  return JSON.stringify(name);
}

/** A doc comment, on one line if it is short. */
export function commentLines(comment: string): Lines {
  const lines = comment.replaceAll("*/", "*\\/").split("\n");
  if (lines.length === 1 && comment.length <= 100) return [`/** ${lines[0]} */`];
  return ["/**", ...lines.map((line) => ` * ${line}`.trimEnd()), " */"];
}

import { parseAst } from "rolldown/parseAst";

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
}

/** What is only for the compiler, whole. */
const types = /^TS(?:TypeAnnotation|TypeParameter(?:Declaration|Instantiation)|(?:Interface|TypeAlias)Declaration)$/u;

/** Removes the types of a module, also from JSX, and leaves everything else as it is. */
export function stripTypes(code: string, lang: "ts" | "tsx"): string {
  let bare = code;
  const removed: (readonly [number, number])[] = [];
  find(parseAst(code, { lang }), (start, end) => removed.push([start, end]));
  for (const [start, end] of removed.toSorted(([a], [b]) => b - a)) {
    const isWholeLine = /(?:^|\n)$/u.test(bare.slice(0, start)) && bare[end] === "\n";
    bare = bare.slice(0, start) + bare.slice(isWholeLine ? end + 1 : end);
  }
  return bare;
}

function find(value: unknown, remove: (start: number, end: number) => void): void {
  if (Array.isArray(value)) {
    for (const each of value) find(each, remove);
    return;
  }
  if (!isNode(value)) return;
  const { type, start, end, importKind, exportKind, expression, declaration, specifiers, optional } = value;
  const isOnlyType = types.test(type) || importKind === "type" || exportKind === "type";
  const isDeclaredType = isNode(declaration) && types.test(declaration.type);
  if ((isOnlyType && type !== "ImportSpecifier") || isDeclaredType) {
    remove(start, end);
    return;
  }
  if (optional === true && type === "Identifier") throw new Error("An optional parameter has a question mark left");
  if (/^TS(?:As|Satisfies|NonNull)Expression$/u.test(type) && isNode(expression)) remove(expression.end, end);
  if (Array.isArray(specifiers)) removeSpecifiers(specifiers.filter(isNode), remove);
  for (const [name, member] of Object.entries(value)) if (name !== "specifiers") find(member, remove);
}

/** Removes the types from a list of imports, with the comma behind or before them. */
function removeSpecifiers(specifiers: readonly Node[], remove: (start: number, end: number) => void): void {
  specifiers.forEach((each, index) => {
    if (each["importKind"] !== "type" && each["exportKind"] !== "type") return;
    const next = specifiers[index + 1];
    remove(each.start, next?.start ?? each.end);
  });
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

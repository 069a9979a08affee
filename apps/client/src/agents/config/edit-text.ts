import { applyEdits, findNodeAtLocation, modify, type Node, parseTree } from "jsonc-parser";

/** A change of a member; `undefined` removes it. */
export interface MemberEdit {
  readonly path: readonly string[];
  readonly value: unknown;
}

/**
 * Changes a member of an object in a text of JSON with comments. Everything else stays as it is written: the formatter of
 * jsonc-parser would lose comments around it.
 */
export function editMember(text: string, { path, value }: MemberEdit): string {
  const tree = parseTree(text, [], { allowTrailingComma: true, allowEmptyContent: true });
  if (tree === undefined) {
    const comments = text.trimEnd();
    return editMember(`${comments}${comments === "" ? "" : "\n"}{}\n`, { path, value });
  }
  const node = findNodeAtLocation(tree, [...path]);
  if (value === undefined) return node?.parent === undefined ? text : remove(text, node.parent, path);
  const layout = {
    indentation: /\n([ \t]+)\S/u.exec(text)?.[1] ?? "  ",
    newLine: text.includes("\r\n") ? "\r\n" : "\n",
  };
  if (node !== undefined) return splice(text, node.offset, node.length, print(value, path.length, layout));
  const { parent, depth } = nearest(tree, path);
  const [name = "", ...inner] = path.slice(depth);
  // Objects on the way that are not there yet.
  const whole = inner.toReversed().reduce<unknown>((content, key) => ({ [key]: content }), value);
  return insert(text, parent, `${JSON.stringify(name)}: ${print(whole, depth + 1, layout)}`, { ...layout, depth });
}

interface Layout {
  readonly indentation: string;
  readonly newLine: string;
}

/** The innermost object of a path that is there. */
function nearest(tree: Node, path: readonly string[]): { readonly parent: Node; readonly depth: number } {
  for (let depth = path.length - 1; depth > 0; depth -= 1) {
    const parent = findNodeAtLocation(tree, path.slice(0, depth));
    if (parent?.type === "object") return { parent, depth };
  }
  return { parent: tree, depth: 0 };
}

/** Appends a member to an object, below its last comment. */
function insert(
  text: string,
  { offset, length, children = [] }: Node,
  member: string,
  { depth, indentation, newLine }: Layout & { readonly depth: number },
): string {
  const end = offset + length - 1;
  const last = children.at(-1);
  const inside = text.slice(0, end).trimEnd();
  const space = text.slice(inside.length, end);
  const closing = space.includes("\n") ? space : newLine + indentation.repeat(depth);
  const added = `${inside}${newLine}${indentation.repeat(depth + 1)}${member}${closing}${text.slice(end)}`;
  if (last === undefined) return added;
  const lastEnd = last.offset + last.length;
  return hasComma(text.slice(lastEnd, end)) ? added : splice(added, lastEnd, 0, ",");
}

/** Removes a member. If it has lines of its own, they go with the comment at their end. */
function remove(text: string, member: Node, path: readonly string[]): string {
  const { offset, length } = member;
  const before = /(?:^|\n)[ \t]*$/u.exec(text.slice(0, offset));
  const after = /^[ \t]*,?[ \t]*(?:\/\/[^\n]*|\/\*[^\n]*\*\/[ \t]*)?(?=\r?\n)/u.exec(text.slice(offset + length));
  if (before === null || after === null) return applyEdits(text, modify(text, [...path], undefined, {}));
  const removed = splice(text, before.index, offset + length + after[0].length - before.index, "");
  const siblings = member.parent?.children ?? [];
  const previous = siblings[siblings.indexOf(member) - 1];
  const isLast = siblings.at(-1) === member;
  if (!isLast || previous === undefined || hasComma(after[0])) return removed;
  const previousEnd = previous.offset + previous.length;
  return splice(removed, removed.indexOf(",", previousEnd), 1, "");
}

/** Whether a comma follows, of a text without members. */
function hasComma(text: string): boolean {
  return text.replaceAll(/\/\/[^\n]*|\/\*[\s\S]*?\*\//gu, "").includes(",");
}

function print(value: unknown, depth: number, { indentation, newLine }: Layout): string {
  return JSON.stringify(value, undefined, indentation).replaceAll("\n", newLine + indentation.repeat(depth));
}

function splice(text: string, offset: number, length: number, content: string): string {
  return text.slice(0, offset) + content + text.slice(offset + length);
}

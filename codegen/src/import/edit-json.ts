import { findNodeAtLocation, parseTree } from "jsonc-parser";

/** The way to a value in a JSON text: names of members and positions in lists. */
export type JsonPath = readonly (string | number)[];

/** Removes values from a JSON text. The rest keeps its layout. */
export function removeFromJson(text: string, paths: readonly JsonPath[]): string {
  return paths.toSorted(laterFirst).reduce(removeOne, text);
}

/** The last item of a list comes first: those before it keep their positions. */
function laterFirst(a: JsonPath, b: JsonPath): number {
  for (const [index, step] of a.entries()) {
    const other = b[index];
    if (step === other) continue;
    if (typeof step === "number" && typeof other === "number") return other - step;
    return String(step) < String(other) ? -1 : 1;
  }
  return 0;
}

// jsonc-parser can remove values as well, but breaks lists that stand on one line.
function removeOne(text: string, path: JsonPath): string {
  const root = parseTree(text);
  const value = root && findNodeAtLocation(root, [...path]);
  const node = value?.parent?.type === "property" ? value.parent : value;
  const siblings = node?.parent?.children;
  if (node?.parent === undefined || siblings === undefined) return text;
  const index = siblings.indexOf(node);
  const [before, after] = [siblings[index - 1], siblings[index + 1]];
  const [from, to] =
    after !== undefined
      ? [node.offset, after.offset]
      : before !== undefined
        ? [endOf(before), endOf(node)]
        : [node.parent.offset + 1, endOf(node.parent) - 1];
  return text.slice(0, from) + text.slice(to);
}

function endOf({ offset, length }: { readonly offset: number; readonly length: number }): number {
  return offset + length;
}

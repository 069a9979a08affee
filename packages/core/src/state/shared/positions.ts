/**
 * Where the item of each key stands. A balanced tree that shares all but one path with the one it was made from.
 *
 * Not a hash: whoever picks the keys, an agent here, could make them collide.
 */
export interface Positions {
  readonly key: string;
  readonly position: number;
  readonly height: number;
  readonly before: Positions | undefined;
  readonly after: Positions | undefined;
}

/** Where the item of the key stands; `undefined` if there is none. */
export function positionOf(tree: Positions | undefined, key: string): number | undefined {
  let node = tree;
  while (node !== undefined && node.key !== key) node = key < node.key ? node.before : node.after;
  return node?.position;
}

/** The keys that stand at this position. Takes as long as there are keys. */
export function keysAt(tree: Positions | undefined, position: number): readonly string[] {
  if (tree === undefined) return [];
  const own = tree.position === position ? [tree.key] : [];
  return [...keysAt(tree.before, position), ...own, ...keysAt(tree.after, position)];
}

/** With the key at this position, whether it is new or not. */
export function withPosition(tree: Positions | undefined, key: string, position: number): Positions {
  if (tree === undefined) return treeOf(key, position, undefined, undefined);
  if (key === tree.key) return { ...tree, position };
  return key < tree.key
    ? balanced(tree, withPosition(tree.before, key, position), tree.after)
    : balanced(tree, tree.before, withPosition(tree.after, key, position));
}

function treeOf(key: string, position: number, before: Positions | undefined, after: Positions | undefined): Positions {
  return { key, position, height: 1 + Math.max(heightOf(before), heightOf(after)), before, after };
}

function heightOf(tree: Positions | undefined): number {
  return tree?.height ?? 0;
}

/** The node with other subtrees, whose heights differ by two at most; after this they differ by one (AVL). */
function balanced(
  { key, position }: Positions,
  before: Positions | undefined,
  after: Positions | undefined,
): Positions {
  const lean = heightOf(after) - heightOf(before);
  if (lean > 1 && after !== undefined) {
    const inner = after.before;
    if (inner === undefined || heightOf(inner) <= heightOf(after.after)) {
      return treeOf(after.key, after.position, treeOf(key, position, before, inner), after.after);
    }
    const right = treeOf(after.key, after.position, inner.after, after.after);
    return treeOf(inner.key, inner.position, treeOf(key, position, before, inner.before), right);
  }
  if (lean < -1 && before !== undefined) {
    const inner = before.after;
    if (inner === undefined || heightOf(inner) <= heightOf(before.before)) {
      return treeOf(before.key, before.position, before.before, treeOf(key, position, inner, after));
    }
    const left = treeOf(before.key, before.position, before.before, inner.before);
    return treeOf(inner.key, inner.position, left, treeOf(key, position, inner.after, after));
  }
  return treeOf(key, position, before, after);
}

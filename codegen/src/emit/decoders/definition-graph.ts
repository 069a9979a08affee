import type { ProtocolModel, Shape } from "../../model/protocol-model.ts";
import { parts } from "../../model/walk.ts";

/** A set of definitions, a bit for each. */
type Bits = Uint32Array;

/** Which definitions contain which, and which of them a decoder may read more than once for one value. */
export class DefinitionGraph {
  /** Definitions that can contain themselves: input decides how deep they nest. */
  readonly recursive: ReadonlySet<string>;
  /**
   * Definitions whose decoders have to remember what they made of a value. Their unions try branches that lead to the
   * same definitions, and others do the same above them: without a memory the work would double at each level.
   */
  readonly remembered: ReadonlySet<string>;
  readonly #names: readonly string[];
  readonly #indexes: ReadonlyMap<string, number>;
  readonly #reach: readonly Bits[];

  constructor(model: ProtocolModel) {
    const definitions = [...model.definitions.values()];
    this.#names = definitions.map(({ name }) => name);
    this.#indexes = new Map(this.#names.map((name, index) => [name, index]));
    const edges = definitions.map(({ shape }) =>
      [...new Set(references(shape))].map((name) => this.#indexes.get(name)!),
    );
    const { reach, recursive } = closure(edges);
    this.#reach = reach;
    this.recursive = new Set(this.#names.filter((_, index) => recursive.has(index)));
    const shared = this.#none();
    const doubling = new Set<string>();
    for (const { name, shape } of definitions) {
      for (const group of groupsWithin(shape)) {
        const common = this.#common(group);
        if (common === undefined) continue;
        doubling.add(name);
        common.forEach((word, index) => (shared[index] = shared[index]! | word));
      }
    }
    this.remembered = new Set([...doubling].filter((name) => has(shared, this.#indexes.get(name)!)));
  }

  /** Whether several of these parts of one value can lead to the same definition that has to be remembered. */
  doubles(group: readonly Shape[]): boolean {
    const common = this.#common(group);
    return common !== undefined && [...this.remembered].some((name) => has(common, this.#indexes.get(name)!));
  }

  /** The definitions that at least two of the parts lead to; `undefined` where there are none. */
  #common(group: readonly Shape[]): Bits | undefined {
    if (group.length < 2) return undefined;
    const seen = this.#none();
    const twice = this.#none();
    for (const part of group) {
      const reached = this.#none();
      for (const name of references(part)) {
        const index = this.#indexes.get(name)!;
        add(reached, index);
        union(reached, this.#reach[index]!);
      }
      reached.forEach((word, index) => {
        twice[index] = twice[index]! | (seen[index]! & word);
        seen[index] = seen[index]! | word;
      });
    }
    return twice.some((word) => word !== 0) ? twice : undefined;
  }

  #none(): Bits {
    return new Uint32Array(Math.ceil(this.#names.length / 32));
  }
}

/** The groups of parts that are read from one value, whatever the value: branches tried in turn, and what objects include. */
function* groupsWithin(shape: Shape): Iterable<readonly Shape[]> {
  if (shape.kind === "alternatives") yield shape.branches.map((branch) => branch.shape);
  if (shape.kind === "intersection") yield shape.parts;
  if (shape.kind === "object") {
    const { members, includes, union: tagged, others } = shape;
    const own: Shape = { kind: "object", members, includes: [], ...(others && { others }) };
    const group: Shape[] = includes.map((name) => ({ kind: "reference", name }));
    if (members.length > 0 || others !== undefined) group.push(own);
    if (tagged !== undefined) {
      group.push(tagged.kind === "tagged" ? { kind: "object", members: [], includes: [], union: tagged } : tagged);
    }
    yield group;
  }
  for (const part of parts(shape)) yield* groupsWithin(part);
}

/** Every definition that a shape names, however deep inside. */
function* references(shape: Shape): Iterable<string> {
  if (shape.kind === "reference") yield shape.name;
  if (shape.kind === "object") yield* shape.includes;
  for (const part of parts(shape)) yield* references(part);
}

/** What every node of a graph leads to, and which lead to themselves. Tarjan's algorithm, without recursion. */
function closure(edges: readonly (readonly number[])[]): { readonly reach: Bits[]; readonly recursive: Set<number> } {
  const words = Math.ceil(edges.length / 32);
  const order = new Int32Array(edges.length).fill(-1);
  const low = new Int32Array(edges.length);
  const isDone = new Uint8Array(edges.length);
  const reach = edges.map(() => new Uint32Array(0));
  const recursive = new Set<number>();
  const component: number[] = [];
  let count = 0;
  for (let root = 0; root < edges.length; root++) {
    const open: { readonly node: number; next: number }[] = order[root] === -1 ? [{ node: root, next: 0 }] : [];
    while (open.length > 0) {
      const frame = open.at(-1)!;
      const { node } = frame;
      if (frame.next === 0) {
        order[node] = low[node] = count++;
        component.push(node);
      }
      const target = edges[node]![frame.next++];
      if (target !== undefined) {
        if (order[target] === -1) open.push({ node: target, next: 0 });
        else if (isDone[target] === 0) low[node] = Math.min(low[node]!, order[target]!);
        continue;
      }
      open.pop();
      const parent = open.at(-1);
      if (parent !== undefined) low[parent.node] = Math.min(low[parent.node]!, low[node]!);
      if (low[node] === order[node]) close(component.splice(component.lastIndexOf(node)));
    }
  }
  return { reach, recursive };

  /** A set of nodes that lead to each other leads to what any of them leads to. */
  function close(nodes: readonly number[]): void {
    const reached = new Uint32Array(words);
    for (const node of nodes) {
      isDone[node] = 1;
      for (const target of edges[node]!) {
        add(reached, target);
        union(reached, reach[target]!);
      }
    }
    for (const node of nodes) {
      reach[node] = reached;
      if (has(reached, node)) recursive.add(node);
    }
  }
}

function add(bits: Bits, index: number): void {
  bits[index >> 5] = bits[index >> 5]! | (1 << (index & 31));
}

function has(bits: Bits, index: number): boolean {
  return ((bits[index >> 5]! >> (index & 31)) & 1) === 1;
}

function union(bits: Bits, more: Bits): void {
  more.forEach((word, index) => (bits[index] = bits[index]! | word));
}

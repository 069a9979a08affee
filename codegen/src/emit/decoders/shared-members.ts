import { block, indent, type Lines, pascalCase, propertyKey, pure } from "../code.ts";
import type { Description } from "./describe.ts";

/** A member at the end of at least this many objects is described once. */
const manyEnds = 10;

/** The members of described objects, in words that several of them share where they say the same (`_meta`). */
export class SharedMembers {
  readonly #uses = new Map<string, number>();
  readonly #names = new Map<string, string>();
  /** How many objects have this member as their last one. */
  readonly #ends = new Map<string, number>();
  /** The functions for objects that end with it. */
  readonly #enders = new Map<string, string>();

  readonly #unique: (name: string) => string;

  /** @param unique Makes a name that nothing else in the module has. */
  constructor(descriptions: Iterable<Description>, unique: (name: string) => string) {
    this.#unique = unique;
    for (const { members } of descriptions) {
      for (const reader of members?.values() ?? []) count(this.#uses, reader);
      if (members !== undefined && members.size > 0) count(this.#ends, endOf(members));
    }
  }

  /** The declarations that a description needs before it, and the description as an expression. */
  expressionOf({ expression, members }: Description): { readonly declarations: Lines; readonly expression: Lines } {
    if (members === undefined) {
      // Calls return decoders of anything, functions have types of their own.
      return {
        declarations: [],
        expression: [expression.endsWith(")") ? `${expression};` : `${expression} as never;`],
      };
    }
    if (members.size === 0) return { declarations: [], expression: [`${pure(expression, "{}")};`] };
    const declarations: string[] = [];
    const entries = [...members].map(([key, reader]) => `${propertyKey(key)}: ${this.#nameOf(reader, declarations)},`);
    const end = endOf(members);
    const name = this.#ends.get(end)! < manyEnds ? expression : this.#enderOf(end, expression, entries, declarations);
    const lines = name === expression ? entries : entries.slice(0, -1);
    return { declarations, expression: [`/* @__PURE__ */ ${name}({`, ...indent(lines), "});"] };
  }

  /** The function for objects with this end, the last one of `entries`. */
  #enderOf(end: string, expression: string, entries: Lines, declarations: string[]): string {
    const known = this.#enders.get(end);
    if (known !== undefined) return known;
    const stem = `${expression}With${pascalCase(end.split(" ")[0]!)}`;
    const name = this.#unique(stem);
    this.#enders.set(end, name);
    const body = [`return ${expression}({ ...members, ${entries.at(-1)!.slice(0, -1)} });`];
    const head = `function ${name}(members: Parameters<typeof ${expression}>[0]): Decoder<never>`;
    declarations.push("", ...block(head, body));
    return name;
  }

  #nameOf(reader: string, declarations: string[]): string {
    if ((this.#uses.get(reader) ?? 0) < 2 || !reader.includes("(")) return reader;
    const known = this.#names.get(reader);
    if (known !== undefined) return known;
    const words = reader.replaceAll(/@__PURE__|\b(?:read|decode)(?=[A-Z])/g, "").match(/\w+/g) ?? [];
    const pascal = pascalCase(words.join(" "));
    const stem = pascal.charAt(0).toLowerCase() + pascal.slice(1);
    const name = this.#unique(stem);
    this.#names.set(reader, name);
    declarations.push(`const ${name} = ${reader};`);
    return name;
  }
}

function count(numbers: Map<string, number>, what: string): void {
  numbers.set(what, (numbers.get(what) ?? 0) + 1);
}

/** The last member: its name and its reader. */
function endOf(members: ReadonlyMap<string, string>): string {
  return [...members].at(-1)!.join(" ");
}

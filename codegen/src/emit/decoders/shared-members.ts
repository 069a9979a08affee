import { indent, type Lines, pascalCase, propertyKey, pure } from "../code.ts";
import type { Description } from "./describe.ts";

/** The members of described objects, in words that several of them share where they say the same (`_meta`). */
export class SharedMembers {
  readonly #uses = new Map<string, number>();
  readonly #names = new Map<string, string>();

  constructor(descriptions: Iterable<Description>) {
    for (const { members } of descriptions) {
      for (const reader of members?.values() ?? []) this.#uses.set(reader, (this.#uses.get(reader) ?? 0) + 1);
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
    return { declarations, expression: [`/* @__PURE__ */ ${expression}({`, ...indent(entries), "});"] };
  }

  #nameOf(reader: string, declarations: string[]): string {
    if ((this.#uses.get(reader) ?? 0) < 2 || !reader.includes("(")) return reader;
    const known = this.#names.get(reader);
    if (known !== undefined) return known;
    const words = reader.replaceAll(/@__PURE__|\b(?:read|decode)(?=[A-Z])/g, "").match(/\w+/g) ?? [];
    const pascal = pascalCase(words.join(" "));
    const stem = pascal.charAt(0).toLowerCase() + pascal.slice(1);
    const taken = new Set(this.#names.values());
    let name = stem;
    for (let count = 2; taken.has(name); count++) name = `${stem}${count}`;
    this.#names.set(reader, name);
    declarations.push(`const ${name} = ${reader};`);
    return name;
  }
}

import type { ValueList, ValueTree, ValueVariants } from "../../model/protocol-model.ts";
import { block, isIdentifier, type Lines, propertyKey, pure } from "../code.ts";
import { scalarDecoders, sentImports } from "./sent-shapes.ts";

/** Emits the functions that find invalid arguments in messages, such as relative paths. Both roles share them. */
export class CheckEmitter {
  /** By what they do: the name of each, and how to declare it. */
  readonly #checks = new Map<string, { readonly name: string; readonly declare: (name: string) => Lines }>();

  /**
   * Returns the name of the function for messages with values as in `tree`. It is named after the first definition that has
   * them. `variants` says which messages have any at all.
   *
   * For messages that are read often the function is written out. For others it is described, which takes a third of the size.
   */
  name(definition: string, tree: ValueTree, isHot: boolean, variants?: ValueVariants): string {
    const [text, declare] =
      isHot || variants !== undefined || hasSingle(tree) ? writtenOut(tree, variants) : described(tree);
    const check = this.#checks.get(text) ?? { name: `check${definition}`, declare };
    this.#checks.set(text, check);
    return check.name;
  }

  /** Returns the module with all functions; `undefined` if there are none. */
  module(runtime: string, header: Lines): string | undefined {
    const functions = [...this.#checks.values()].flatMap(({ name, declare }) => ["", ...declare(name)]);
    if (functions.length === 0) return undefined;
    const text = functions.join("\n");
    const names = ["type ArgumentCheck", "isRelative", "type InvalidArgument", "checkPlaces"].filter((name) =>
      new RegExp(`\\b${name.replace("type ", "")}\\b`).test(text),
    );
    const used = [...names, ...sentImports([text])];
    const imports = `import { ${used.join(", ")} } from ${JSON.stringify(runtime)};`;
    return `${[...header, "", imports, text].join("\n")}\n`;
  }
}

type Declaration = readonly [text: string, declare: (name: string) => Lines];

function described(tree: ValueTree): Declaration {
  const check = pure("checkPlaces", places(tree));
  return [check, (name) => [`export const ${name}: ArgumentCheck = ${check};`]];
}

/** The shape that `sent` of `@acp/schema` takes, whose members may all be absent. */
function places(tree: ValueTree): string {
  if (typeof tree === "string") return scalarDecoders[tree];
  if (isList(tree)) return `[${places(tree[0])}]`;
  const members = Object.entries(tree).map(([name, inner]) => `${propertyKey(name)}: ${places(inner)}`);
  return `{ _: { ${members.join(", ")} } }`;
}

/** Whether a value may be a list or one of its items. */
function hasSingle(tree: ValueTree): boolean {
  if (typeof tree === "string") return false;
  return isList(tree) ? tree.length > 1 || hasSingle(tree[0]) : Object.values(tree).some(hasSingle);
}

function writtenOut(tree: ValueTree, variants: ValueVariants | undefined): Declaration {
  const body = [
    "let found: InvalidArgument[] | undefined;",
    ...new Walk(variants).into(tree, "message", []),
    "return found;",
  ];
  return [
    body.join("\n"),
    (name) => block(`export function ${name}(message: any): InvalidArgument[] | undefined`, body),
  ];
}

/** Writes the statements that look through one message. */
class Walk {
  readonly #variants: ValueVariants | undefined;
  /** How many objects and lists have a name. */
  #count = 0;

  constructor(variants: ValueVariants | undefined) {
    this.#variants = variants;
  }

  /** Looks into the value of an expression that stands at `path`, which is written as code. */
  into(tree: ValueTree, expression: string, path: readonly string[]): Lines {
    if (typeof tree === "string") return leaf(tree, expression, path);
    if (isList(tree)) return this.#intoList(tree, expression, path);
    const members = Object.entries(tree);
    const condition = this.#condition(path);
    // What is looked at more than once has a name.
    const isNamed = !isIdentifier(expression) && (members.length > 1 || condition !== undefined);
    const name = isNamed ? `value${++this.#count}` : expression;
    const lines = members.flatMap(([member, inner]) =>
      this.into(inner, memberOf(name, member), [...path, JSON.stringify(member)]),
    );
    return [
      ...(isNamed ? [`const ${name} = ${expression};`] : []),
      ...(condition === undefined ? lines : block(`if (${condition(name)})`, lines)),
    ];
  }

  #intoList([items, single]: ValueList, expression: string, path: readonly string[]): Lines {
    const name = `value${++this.#count}`;
    const index = `index${this.#count}`;
    const body = this.into(items, `${name}[${index}]`, [...path, index]);
    const loop = block(`for (let ${index} = 0; ${index} < ${name}.length; ${index}++)`, body);
    const other = single === undefined ? [] : block("else", this.into(single, name, path));
    return [`const ${name} = ${expression};`, ...block(`if (Array.isArray(${name}))`, loop), ...other];
  }

  /** What must hold for an object to have any values. */
  #condition(path: readonly string[]): ((name: string) => string) | undefined {
    const variants = this.#variants;
    if (variants === undefined || path.join() !== JSON.stringify(variants.member)) return undefined;
    return (name) => {
      const tag = memberOf(name, variants.tag);
      return variants.variants.map((variant) => `${tag} === ${JSON.stringify(variant)}`).join(" || ");
    };
  }
}

function leaf(kind: Extract<ValueTree, string>, expression: string, path: readonly string[]): Lines {
  const isInvalid = kind === "line" ? `${expression} === 0` : `isRelative(${expression})`;
  return [`if (${isInvalid}) (found ??= []).push([${[JSON.stringify(kind), ...path].join(", ")}]);`];
}

function memberOf(name: string, member: string): string {
  return isIdentifier(member) ? `${name}?.${member}` : `${name}?.[${JSON.stringify(member)}]`;
}

function isList(tree: Exclude<ValueTree, string>): tree is ValueList {
  return Array.isArray(tree);
}

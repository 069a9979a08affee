import type { ArrayShape, MapShape, Member, ProtocolModel, Shape, TupleShape } from "../../model/protocol-model.ts";
import { isPlainObject } from "../../model/schema-document.ts";
import { block, type Lines, literal, pascalCase, propertyKey, pure } from "../code.ts";
import { DefinitionGraph } from "./definition-graph.ts";
import { memberKey } from "./member-lines.ts";
import { scalarCheck, type ScalarCheck } from "./scalar-check.ts";
import { shapeBody } from "./shape-body.ts";

/** The decoders of the runtime, by what they expect. */
const readers = new Map([
  ["a string", "readString"],
  ["an object", "readFields"],
  ["a number", "readNumber"],
  ["an integer", "readInteger"],
  ["a boolean", "readBoolean"],
]);

/** The module under construction: which runtime functions it imports, and the functions it needs besides its exports. */
export class DecoderModule {
  readonly model: ProtocolModel;
  readonly graph: DefinitionGraph;
  readonly #uses = new Set<string>();
  /** Private functions by what they do, so that each is written once. */
  readonly #functions = new Map<string, { readonly name: string; lines: Lines }>();
  /** The names that are taken; to begin with those that imports have and a private function might get. */
  readonly #names = new Set<string>(["readAny", ...readers.values()]);
  readonly #members = new Map<string, number>();
  readonly #define: (name: string) => void;
  readonly #describePart: (shape: Shape, hint: string) => string | undefined;
  /** Definitions by what their decoder does; and for those that do what another one does, that one. */
  readonly #firsts = new Map<string, string>();
  readonly #twins = new Map<string, string>();

  /**
   * What a description refers to has to stand before it.
   *
   * @param define Writes the decoder of a definition unless that has been done.
   * @param describePart Writes a description that has no name of its own, and tells how it is called; `undefined` if
   * the shape has to be written out.
   */
  constructor(
    model: ProtocolModel,
    define: (name: string) => void,
    describePart: (shape: Shape, hint: string) => string | undefined,
  ) {
    this.model = model;
    this.#define = define;
    this.#describePart = describePart;
    this.graph = new DefinitionGraph(model);
    for (const { shape } of model.definitions.values()) {
      if (shape.kind !== "object") continue;
      for (const key of shape.members.map(memberKey)) this.#members.set(key, (this.#members.get(key) ?? 0) + 1);
    }
  }

  /** Whether so many definitions have this very member (`_meta`) that a function for it saves space. */
  isFrequent(member: Member): boolean {
    return (this.#members.get(memberKey(member)) ?? 0) > 10;
  }

  /** Whether a definition is read often. Without a list, all are. */
  isHot(definition: string): boolean {
    return this.model.hot?.includes(definition) ?? true;
  }

  /** The definition whose decoder does exactly what `text` says, if there is one before `definition`. */
  twinOf(definition: string, text: string): string | undefined {
    const twin = this.#firsts.get(text);
    if (twin === undefined) this.#firsts.set(text, definition);
    else this.#twins.set(definition, twin);
    return twin;
  }

  /** Notes that the module imports `name` from the runtime. */
  use<Name extends string>(name: Name): Name {
    this.#uses.add(name);
    return name;
  }

  get uses(): readonly string[] {
    return [...this.#uses].toSorted();
  }

  get functions(): Lines {
    return [...this.#functions.values()].flatMap(({ lines }) => ["", ...lines]);
  }

  /** The name of a decoder for a shape, written when it is first asked for. */
  decoderOf(shape: Shape, hint: string, skipInvalidItems = false): string {
    if (shape.kind === "reference") return `decode${shape.name}`;
    if (shape.kind === "any") return this.use("readAny");
    if (shape.kind === "string" && !shape.minLength) return this.use("readString");
    if (shape.kind === "map" && shape.values.kind === "any") return this.use("readFields");
    const name = nameOf(shape, hint, skipInvalidItems);
    return this.privateFunction(`${skipInvalidItems} ${JSON.stringify(shape)}`, name, (unique) =>
      block(`function ${unique}(value: unknown, notes: Notes): unknown`, this.body(shape, hint, skipInvalidItems)),
    );
  }

  /** The decoder of a shape inside a description: nothing that is declared further down, except functions. */
  describedOf(shape: Shape, hint: string, skipInvalidItems = false): string {
    const check = this.check(shape);
    if (check !== undefined) return this.scalarOf(check);
    switch (shape.kind) {
      case "reference":
        this.#define(shape.name);
        return `decode${this.#twins.get(shape.name) ?? shape.name}`;
      case "array":
        if ((shape.minItems ?? 0) > 0) return this.decoderOf(shape, hint, skipInvalidItems);
        return pure(
          this.use(skipInvalidItems ? "tolerantListOf" : "listOf"),
          this.describedOf(shape.items, `${hint}Item`),
        );
      case "map":
        return pure(this.use("mapOf"), this.describedOf(shape.values, `${hint}Value`));
      case "object":
        return this.#describePart(shape, hint) ?? this.decoderOf(shape, hint);
      default:
        return this.decoderOf(shape, hint);
    }
  }

  /** The decoder of values that are kept or refused as they are. */
  scalarOf({ accepts, expected }: ScalarCheck): string {
    const reader = readers.get(expected);
    if (reader !== undefined) return this.use(reader);
    const name = `read${pascalCase(expected.replace(/^an? /, ""))}`;
    return this.privateFunction(`scalar ${accepts("value")} ${expected}`, name, (unique) =>
      block(`function ${unique}(value: unknown, notes: Notes): unknown`, [
        `return ${accepts("value")} ? value : ${this.use("refuse")}(notes, ${literal(expected)}, value);`,
      ]),
    );
  }

  /** The name of a function that makes a value. */
  makerOf(value: unknown, hint: string): string {
    if (Array.isArray(value) && value.length === 0) return this.use("emptyList");
    const name = `default${hint}`;
    return this.privateFunction(`default ${JSON.stringify(value)}`, name, (unique) =>
      block(`function ${unique}(): unknown`, [`return ${this.#making(value)};`]),
    );
  }

  /** A value as code; an object in it that another function makes is a call of it. */
  #making(value: unknown): string {
    const members = isPlainObject(value) ? Object.entries(value) : [];
    if (members.length === 0) return literal(value);
    const entries = members.map(([name, member]) => {
      const maker = isPlainObject(member) && this.#functions.get(`default ${JSON.stringify(member)}`);
      return `${propertyKey(name)}: ${maker ? `${maker.name}()` : this.#making(member)}`;
    });
    return `{ ${entries.join(", ")} }`;
  }

  /** The name of a constant list, for calls that must not allocate one. */
  constantOf(value: readonly (string | number)[], name: string): string {
    const type = value.every((item) => typeof item === "string") ? "string" : "number";
    return this.privateFunction(`constant ${JSON.stringify(value)}`, name, (unique) => [
      `const ${unique}: readonly ${type}[] = ${literal(value)};`,
    ]);
  }

  /** `name`, of which titles may be part, as an identifier; with a number behind it if that is taken. */
  unique(name: string): string {
    const stem = name.replaceAll(/\W/g, "");
    let unique = stem;
    for (let count = 2; this.#names.has(unique); count++) unique = `${stem}${count}`;
    this.#names.add(unique);
    return unique;
  }

  /** Adds a private function unless one with the same key is there. */
  privateFunction(key: string, name: string, write: (unique: string) => Lines): string {
    const known = this.#functions.get(key);
    if (known !== undefined) return known.name;
    const unique = this.unique(name);
    // Entered before it is written: what it needs in turn follows it in the file.
    const entry: { name: string; lines: Lines } = { name: unique, lines: [] };
    this.#functions.set(key, entry);
    entry.lines = write(unique);
    return unique;
  }

  private body(shape: Shape, hint: string, skipInvalidItems: boolean): Lines {
    if (shape.kind === "array") return this.arrayBody(shape, hint, skipInvalidItems);
    if (shape.kind === "map") return this.mapBody(shape, hint);
    return shapeBody(shape, this, hint);
  }

  arrayBody(shape: ArrayShape, hint: string, skipInvalidItems: boolean): Lines {
    const read = this.use(skipInvalidItems ? "tolerantList" : "list");
    const lines = [`return ${read}(value, notes, ${this.decoderOf(shape.items, `${hint}Item`)}) as never;`];
    const count = shape.minItems ?? 0;
    if (count === 0) return lines;
    const reason = `has fewer than ${count} ${count === 1 ? "item" : "items"}`;
    return [`if (${this.use("isShort")}(value, ${count})) return notes.fail(${literal(reason)});`, ...lines];
  }

  tupleBody(shape: TupleShape, hint: string): Lines {
    const items = shape.items.map((item, index) => this.decoderOf(item, `${hint}Item${index + 1}`));
    const rest = shape.rest.kind === "any" ? [] : [this.decoderOf(shape.rest, `${hint}Rest`)];
    const args = ["value", "notes", `[${items.join(", ")}]`, String(shape.minItems), ...rest];
    return [`return ${this.use("tuple")}(${args.join(", ")}) as never;`];
  }

  mapBody(shape: MapShape, hint: string): Lines {
    return [`return ${this.use("map")}(value, notes, ${this.decoderOf(shape.values, `${hint}Value`)}) as never;`];
  }

  /** The check that stands for a decoder of this shape, its imports noted. */
  check(shape: Shape): ScalarCheck | undefined {
    const check = scalarCheck(shape, this.model);
    for (const name of check?.uses ?? []) this.#uses.add(name);
    return check;
  }
}

function nameOf(shape: Shape, hint: string, skipInvalidItems: boolean): string {
  const inner = (part: Shape): string | undefined =>
    part.kind === "reference" ? part.name : part.kind === "string" ? "String" : undefined;
  if (shape.kind === "array") {
    const of = inner(shape.items);
    const { minItems = 0 } = shape;
    const list = minItems === 1 ? "NonEmptyListOf" : minItems > 1 ? `ListOfAtLeast${minItems}` : "ListOf";
    const name = of === undefined ? pascalCase(hint) : `${list}${of}`;
    return `read${skipInvalidItems ? "Tolerant" : ""}${name}`;
  }
  if (shape.kind === "map") {
    const of = inner(shape.values);
    return `read${of === undefined ? pascalCase(hint) : `MapOf${of}`}`;
  }
  return `read${pascalCase(hint)}`;
}

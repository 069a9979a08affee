import type { ArrayShape, MapShape, Member, ProtocolModel, Shape } from "../../model/protocol-model.ts";
import { block, type Lines, literal, pascalCase } from "../code.ts";
import { recursiveDefinitions } from "./facts.ts";
import { memberKey } from "./member-lines.ts";
import { scalarCheck } from "./scalar-check.ts";
import { shapeBody } from "./shape-body.ts";

/** The module under construction: which runtime functions it imports, and the functions it needs besides its exports. */
export class DecoderModule {
  readonly model: ProtocolModel;
  readonly recursive: ReadonlySet<string>;
  readonly #uses = new Set<string>();
  /** Private functions by what they do, so that each is written once. */
  readonly #functions = new Map<string, { readonly name: string; lines: Lines }>();
  readonly #names = new Set<string>();
  readonly #members = new Map<string, number>();

  constructor(model: ProtocolModel) {
    this.model = model;
    this.recursive = recursiveDefinitions(model);
    for (const { shape } of model.definitions.values()) {
      if (shape.kind !== "object") continue;
      for (const key of shape.members.map(memberKey)) this.#members.set(key, (this.#members.get(key) ?? 0) + 1);
    }
  }

  /** Whether so many definitions have this very member (`_meta`) that a function for it saves space. */
  isFrequent(member: Member): boolean {
    return (this.#members.get(memberKey(member)) ?? 0) > 10;
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

  /** The name of a function that makes a value. */
  makerOf(value: unknown, hint: string): string {
    const name = `default${hint}`;
    return this.privateFunction(`default ${JSON.stringify(value)}`, name, (unique) =>
      block(`function ${unique}(): unknown`, [`return ${literal(value)};`]),
    );
  }

  /** The name of a constant list, for calls that must not allocate one. */
  constantOf(value: readonly (string | number)[], name: string): string {
    const type = value.every((item) => typeof item === "string") ? "string" : "number";
    return this.privateFunction(`constant ${JSON.stringify(value)}`, name, (unique) => [
      `const ${unique}: readonly ${type}[] = ${literal(value)};`,
    ]);
  }

  /** Adds a private function unless one with the same key is there. */
  privateFunction(key: string, name: string, write: (unique: string) => Lines): string {
    const known = this.#functions.get(key);
    if (known !== undefined) return known.name;
    let unique = name;
    for (let count = 2; this.#names.has(unique); count++) unique = `${name}${count}`;
    this.#names.add(unique);
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

  mapBody(shape: MapShape, hint: string): Lines {
    return [`return ${this.use("map")}(value, notes, ${this.decoderOf(shape.values, `${hint}Value`)}) as never;`];
  }

  /** The check that stands for a decoder of this shape, its imports noted. */
  check(shape: Shape): ReturnType<typeof scalarCheck> {
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
    return `read${skipInvalidItems ? "Tolerant" : ""}${of === undefined ? pascalCase(hint) : `ListOf${of}`}`;
  }
  if (shape.kind === "map") {
    const of = inner(shape.values);
    return `read${of === undefined ? pascalCase(hint) : `MapOf${of}`}`;
  }
  return `read${pascalCase(hint)}`;
}

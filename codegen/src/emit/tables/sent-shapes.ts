import type { Member, ObjectShape, ProtocolModel, Shape, TaggedUnion } from "../../model/protocol-model.ts";
import { parts } from "../../model/walk.ts";
import { type Lines, literal, propertyKey, pure } from "../code.ts";

const anything = "readAny";
const object = "readFields";

/** The decoders of `@acp/schema` that check values of one kind. */
export const scalarDecoders = {
  string: "readString",
  integer: "readNumber",
  number: "readNumber",
  boolean: "readBoolean",
  line: "sentLine",
  path: "sentPath",
  command: "sentCommand",
  base64: "readString",
} as const;

/** The functions and decoders of `@acp/schema` that code like this names. */
export function sentImports(lines: Lines): readonly string[] {
  const names = [...new Set([anything, object, "sent", "inSession", ...Object.values(scalarDecoders)])].toSorted();
  return names.filter((name) => lines.some((line) => new RegExp(`\\b${name}\\b(?!:)`).test(line)));
}

/**
 * Writes what the messages of a role have to look like when it sends them, for `sent` of `@acp/schema`. What the role
 * reads as well is checked by its decoder, which adds nothing to the size of a program.
 */
export class SentShapes {
  readonly #model: ProtocolModel;
  readonly #read: ReadonlySet<string>;
  /** How often a shape is named, by its code. */
  readonly #counts = new Map<string, number>();
  /** The code of each definition, where every other one has a name. */
  readonly #drafts = new Map<string, string>();
  /** What stands where a definition is named. */
  readonly #references = new Map<string, string>();
  /** The names of shared shapes by their code. */
  readonly #names = new Map<string, string>();
  readonly #declarations: string[] = [];
  #isDraft = true;

  /**
   * @param read The definitions of the messages that the role reads.
   * @param sent The definitions of the messages that it sends.
   */
  constructor(model: ProtocolModel, read: readonly string[], sent: readonly string[]) {
    this.#model = model;
    this.#read = reached(model, read);
    sent.forEach((name) => this.#reference(name));
    this.#references.clear();
    this.#isDraft = false;
    sent.forEach((name) => this.#reference(name));
  }

  /** The shapes that several places share, in constants. */
  get declarations(): Lines {
    return this.#declarations;
  }

  /** The shape of a message; `undefined` if it may be any object. */
  of(definition: string): string | undefined {
    const shape = this.#reference(definition);
    return shape === anything || shape === object ? undefined : shape;
  }

  #reference(name: string): string {
    let reference = this.#references.get(name);
    if (reference === undefined) {
      // A definition inside itself is not looked into.
      this.#references.set(name, anything);
      reference = this.#refer(name);
      this.#references.set(name, reference);
    }
    const draft = this.#drafts.get(name);
    if (this.#isDraft && draft !== undefined) this.#counts.set(draft, (this.#counts.get(draft) ?? 0) + 1);
    return reference;
  }

  #refer(name: string): string {
    const shape = this.#model.definitions.get(name)?.shape;
    if (shape === undefined) return anything;
    const written = this.#shape(shape, name);
    if (isName(written) || shape.kind === "reference") return written;
    if (this.#read.has(name) && !/\bsent(?:Line|Path|Command)\b/.test(written)) return `decode${name}`;
    if (this.#isDraft) {
      this.#drafts.set(name, written);
      return `sent${name}`;
    }
    const draft = this.#drafts.get(name)!;
    if (this.#counts.get(draft)! < 2) return written;
    const known = this.#names.get(draft);
    if (known !== undefined) return known;
    this.#names.set(draft, `sent${name}`);
    this.#declarations.push(`const sent${name} = ${pure("sent", written)};`);
    return `sent${name}`;
  }

  #shape(shape: Shape, definition?: string): string {
    switch (shape.kind) {
      case "string":
      case "integer":
      case "number":
      case "boolean":
        return scalarDecoders[shape.kind];
      case "constant":
        return typeof shape.value === "string" ? choice([shape.value]) : anything;
      case "enumeration":
        if (shape.base === "integer") return scalarDecoders.integer;
        return choice([...shape.values.map(({ value }) => String(value)), ...(shape.open ? ["_"] : [])]);
      case "array":
        return `[${this.#shape(shape.items)}]`;
      case "tuple":
        return `[${anything}]`;
      case "map":
        return object;
      case "reference":
        return this.#reference(shape.name);
      case "nullable":
        return this.#shape(shape.shape);
      case "object":
        return this.#object(shape, definition);
      default:
        return anything;
    }
  }

  #object(shape: ObjectShape, definition: string | undefined): string {
    const { union, includes, members: own } = shape;
    const [included] = includes;
    if (included !== undefined && includes.length === 1 && own.length === 0 && union === undefined) {
      return this.#reference(included);
    }
    const members = this.#members(shape, definition);
    const entries = (list: readonly OwnedMember[]): Lines =>
      list.map((member) => `${propertyKey(member.name)}: ${this.#member(member)}`);
    const required = members.filter((member) => member.required && !member.nullable);
    const others = members.filter((member) => !required.includes(member));
    // Of what may be missing, plain values are left to strict mode.
    const optional = entries(others).filter((entry) => !/: (?:\[?read\w+\]?|"[^|]*")$/.test(entry));
    const tagged = union?.kind === "tagged" ? this.#union(union, definition) : undefined;
    const all = [...(optional.length === 0 ? [] : [`_: { ${optional.join(", ")} }`]), ...entries(required)];
    const common = all.length === 0 ? object : `{ ${all.join(", ")} }`;
    if (tagged === undefined || isName(tagged)) return tagged ?? common;
    return common === object ? `[${tagged}]` : `[${tagged}, ${common}]`;
  }

  #member({ owner, name, shape }: OwnedMember): string {
    const kind = this.#model.values?.get(`${owner}.${name}`);
    if (kind === undefined) return this.#shape(shape);
    return shape.kind === "array" ? `[${scalarDecoders[kind]}]` : scalarDecoders[kind];
  }

  #union({ tag, variants, fallback, other }: TaggedUnion, definition: string | undefined): string {
    const isOpen = other !== undefined || (definition !== undefined && this.#model.openUnions.includes(definition));
    const untagged = fallback && this.#shape(fallback.shape, definition);
    const tagged = variants.map(({ value, shape }) => [propertyKey(value), this.#shape(shape, definition)] as const);
    if (isOpen && untagged !== undefined && tagged.every(([, shape]) => shape === untagged)) return untagged;
    const branches = [
      ...tagged.map(([value, shape]) => `${value}: ${shape}`),
      ...(untagged === undefined ? [] : [`"": ${untagged}`]),
      ...(isOpen ? [`_: ${anything}`] : []),
    ];
    return `${literal(tag)}, { ${branches.join(", ")} }`;
  }

  /** The members of an object and of what it includes, but for `_meta`. */
  #members({ members, includes }: ObjectShape, owner: string | undefined): readonly OwnedMember[] {
    const included = includes.flatMap((name) => {
      const shape = this.#model.definitions.get(name)?.shape;
      return shape?.kind === "object" ? this.#members(shape, name) : [];
    });
    return [...included, ...members.map((member) => ({ ...member, owner }))].filter(({ name }) => name !== "_meta");
  }
}

/** A member, and the definition that has it. */
interface OwnedMember extends Member {
  readonly owner: string | undefined;
}

/** The decoder for a shape. */
export function sentShape(shape: string): string {
  return isName(shape) ? shape : pure("sent", shape);
}

/** Whether code is nothing but a name. */
function isName(code: string): boolean {
  return /^\w+$/.test(code);
}

function choice(values: readonly string[]): string {
  return literal(values.join("|"));
}

/** The definitions that are read with these. */
function reached(model: ProtocolModel, names: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  const look = (shape: Shape): void => {
    if (shape.kind === "reference") add(shape.name);
    if (shape.kind === "object") shape.includes.forEach(add);
    parts(shape).forEach(look);
  };
  const add = (name: string): void => {
    const shape = model.definitions.get(name)?.shape;
    if (found.has(name) || shape === undefined) return;
    found.add(name);
    look(shape);
  };
  names.forEach(add);
  return found;
}

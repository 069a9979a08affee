import { isDeepStrictEqual } from "node:util";
import { pascalCase } from "../emit/code.ts";
import { Findings } from "./findings.ts";
import { protocolKeywords } from "./keywords.ts";
import { Place } from "./place.ts";
import { isPlainObject, type JsonSchema, type SchemaDocument } from "./schema-document.ts";
import { schemaLists, schemaMaps, singleSchemas, switches } from "./subschemas.ts";

/** Documents in normal form already: reading one twice reports nothing twice. */
const normal = new WeakSet<object>();

/** What generated modules export, import or refer to themselves. */
const reserved: readonly string[] = [
  "AgentMethods",
  "ClientMethods",
  "ProtocolMethods",
  "ProxyMethods",
  "Received",
  "Record",
  "UnknownVariant",
];

/**
 * Writes a schema in one form, which all that follows reads: definitions in `$defs` under names that TypeScript can
 * have, references to them as `#/$defs/Name`, objects where booleans were, and no annotations of others.
 *
 * - `definitions` is the older name of `$defs`; a schema may have both.
 * - A root with members of its own, or one that `#` refers to, becomes a definition named after its title.
 * - Names that TypeScript cannot have are mapped, and reported: `my-type` becomes `MyType`.
 * - Keywords that begin with `x-` and are not the protocol's are dropped, and reported.
 * - Keywords of earlier drafts become those of draft 2020-12.
 */
export function normalizeDocument(document: SchemaDocument, findings: Findings = new Findings()): SchemaDocument {
  if (normal.has(document)) return document;
  const normalized = new Normalizer(document, findings).normalize();
  normal.add(normalized);
  return normalized;
}

/** Tells {@link normalizeDocument} that a document made from one in normal form is in normal form as well. */
export function keepNormal(from: SchemaDocument, made: SchemaDocument): SchemaDocument {
  if (normal.has(from)) normal.add(made);
  return made;
}

class Normalizer {
  readonly #document: SchemaDocument;
  readonly #findings: Findings;
  readonly #schemas: Readonly<Record<string, unknown>>;
  readonly #names = new Map<string, string>();
  readonly #root: string | undefined;

  constructor(document: SchemaDocument, findings: Findings) {
    this.#document = document;
    this.#findings = findings;
    const { $defs, definitions = {} } = document;
    const joined = new Map<string, unknown>(Object.entries($defs ?? {}));
    for (const [name, schema] of Object.entries(definitions)) {
      if (joined.has(name) && !isDeepStrictEqual(joined.get(name), schema)) {
        this.#refuse(name, "`$defs` and `definitions` describe it differently; rename one of them");
      } else joined.set(name, schema);
    }
    const taken = new Set([...joined.keys()].filter(isName));
    const small = new Map([...taken].map((name) => [name.toLowerCase(), name]));
    for (const name of joined.keys()) {
      if (taken.has(name)) this.#names.set(name, name);
      else this.#names.set(name, this.#nameFor(name, taken, small));
    }
    this.#root = this.#isDefinition(document) ? this.#rootName(taken, small) : undefined;
    if (this.#root !== undefined) {
      const { $schema: _, $id: __, $defs: ___, definitions: ____, ...root } = document;
      joined.set(this.#root, root);
      this.#names.set(this.#root, this.#root);
    }
    this.#schemas = Object.fromEntries(joined);
  }

  normalize(): SchemaDocument {
    const { $schema } = this.#document;
    const $defs = new Map<string, JsonSchema>();
    for (const [name, schema] of Object.entries(this.#schemas)) {
      // A message frame is not read at all.
      const isFrame = isPlainObject(schema) && schema["x-docs-ignore"] === true;
      const mapped = this.#names.get(name) ?? name;
      $defs.set(mapped, (isFrame ? schema : this.#schema(schema, this.#place(mapped))) as JsonSchema);
    }
    const rest = this.#root === undefined ? this.#document : { ...($schema !== undefined && { $schema }) };
    const { definitions: _, ...root } = rest as SchemaDocument;
    return { ...root, $defs: Object.fromEntries($defs) };
  }

  #place(definition: string): Place {
    return new Place(definition, "", { definitions: {}, findings: this.#findings });
  }

  #refuse(definition: string, what: string): void {
    this.#findings.problems.collect(() => {
      throw this.#place(definition).unsupported(what);
    });
  }

  /** A name that a TypeScript type can have, for one that it cannot. */
  #nameFor(name: string, taken: Set<string>, small: Map<string, string>): string {
    const plain = name.normalize("NFD").replaceAll(/\p{M}/gu, "");
    const stem = pascalCase(plain).replace(/^(?=\d)/, "Type");
    const isFree = (mapped: string): boolean => isName(mapped) && !small.has(mapped.toLowerCase());
    const mapped = stem === "" ? undefined : [stem, `${stem}Definition`].find(isFree);
    if (mapped === undefined) {
      const reason =
        stem === "" ? "has no letter that a type can be named with" : `its name becomes ${stem}, which is taken`;
      this.#refuse(name, `${reason}; rename the definition, and what refers to it`);
      return name;
    }
    taken.add(mapped);
    small.set(mapped.toLowerCase(), mapped);
    this.#place(name).warn(`TypeScript cannot have this name; the type is called ${mapped}`);
    return mapped;
  }

  #rootName(taken: Set<string>, small: Map<string, string>): string {
    const { title } = this.#document;
    const name = typeof title === "string" ? title : "Root";
    return isName(name) && !small.has(name.toLowerCase()) ? name : this.#nameFor(name, taken, small);
  }

  /** Whether the root describes values itself: the root of a protocol only lists its messages. */
  #isDefinition(document: SchemaDocument): boolean {
    return document.properties !== undefined || refersToRoot(document);
  }

  #schema(schema: unknown, place: Place): unknown {
    if (schema === true) return {};
    if (schema === false) return { not: {} };
    if (!isPlainObject(schema)) return schema;
    const written: Record<string, unknown> = {};
    for (const [keyword, value] of Object.entries(schema)) {
      const at = place.at(keyword);
      if (keyword === "$ref") written["$ref"] = this.#reference(value, place);
      else if (keyword === "discriminator") written[keyword] = this.#discriminator(value, place);
      else if (schemaMaps.includes(keyword) && isPlainObject(value)) written[keyword] = this.#map(value, at);
      else if (keyword === "items" && Array.isArray(value)) written["prefixItems"] = this.#list(value, at);
      else if (schemaLists.includes(keyword) && Array.isArray(value)) written[keyword] = this.#list(value, at);
      else if (switches.includes(keyword) && typeof value === "boolean") written[keyword] = value;
      else if (singleSchemas.includes(keyword)) written[keyword] = this.#schema(value, at);
      else if (keyword === "additionalItems") {
        if (Array.isArray(schema["items"])) written["items"] = this.#schema(value, at);
      } else if (keyword === "dependencies" && isPlainObject(value)) this.#dependencies(value, at, written);
      else if (keyword.startsWith("x-") && !protocolKeywords.includes(keyword)) {
        place.warn(`the keyword \`${keyword}\` is unknown and ignored`);
      } else written[keyword] = value;
    }
    bounds(written);
    return written;
  }

  #map(schemas: Readonly<Record<string, unknown>>, place: Place): Readonly<Record<string, unknown>> {
    return Object.fromEntries(
      Object.entries(schemas).map(([name, schema]) => [name, this.#schema(schema, place.at(name))]),
    );
  }

  #list(schemas: readonly unknown[], place: Place): readonly unknown[] {
    return schemas.map((schema, index) => this.#schema(schema, place.at(index)));
  }

  /** Draft 7 has one keyword for what later are two. */
  #dependencies(value: Readonly<Record<string, unknown>>, place: Place, written: Record<string, unknown>): void {
    const entries = Object.entries(value);
    const required = entries.filter(([, names]) => Array.isArray(names));
    const schemas = entries.filter(([, schema]) => !Array.isArray(schema));
    if (required.length > 0) written["dependentRequired"] = Object.fromEntries(required);
    if (schemas.length > 0) written["dependentSchemas"] = this.#map(Object.fromEntries(schemas), place);
  }

  /** The reference with the new name of the definition. A reference to anything else stays: its reader refuses it. */
  #reference(reference: unknown, place: Place): unknown {
    if (typeof reference !== "string") return reference;
    if (reference === "#" && this.#root !== undefined) return `#/$defs/${this.#root}`;
    const encoded = /^#\/(?:\$defs|definitions)\/([^/]+)$/.exec(reference)?.[1];
    if (encoded === undefined) return reference;
    const name = decodePointer(encoded);
    const mapped = this.#names.get(name);
    if (mapped !== undefined) return `#/$defs/${mapped}`;
    if (isName(name)) return reference.replace("#/definitions/", "#/$defs/");
    throwIn(this.#findings, place, `refers to ${name}, which is not defined`);
    return reference;
  }

  #discriminator(discriminator: unknown, place: Place): unknown {
    if (!isPlainObject(discriminator) || !isPlainObject(discriminator["mapping"])) return discriminator;
    const mapping = Object.entries(discriminator["mapping"]).map(([value, target]) => {
      const name = typeof target === "string" && !target.includes("/") ? `#/$defs/${target}` : target;
      return [value, this.#reference(name, place.at("discriminator"))];
    });
    return { ...discriminator, mapping: Object.fromEntries(mapping) };
  }
}

function throwIn(findings: Findings, place: Place, what: string): void {
  findings.problems.collect(() => {
    throw place.unsupported(what);
  });
}

/** Whether a definition can have a name as it is. */
function isName(name: string): boolean {
  return /^[A-Z]\w*$/.test(name) && !reserved.includes(name);
}

function refersToRoot(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.some(refersToRoot);
  if (!isPlainObject(schema)) return false;
  return schema["$ref"] === "#" || Object.values(schema).some(refersToRoot);
}

/** `a/b` of `a~1b`, RFC 6901 and percent-encoding undone. */
function decodePointer(text: string): string {
  let decoded = text;
  try {
    decoded = decodeURIComponent(text);
  } catch {
    // Not encoded: a name may have a percent sign.
  }
  return decoded.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** Draft 4 says with a boolean whether a bound is exclusive. */
function bounds(schema: Record<string, unknown>): void {
  for (const [exclusive, inclusive] of [
    ["exclusiveMinimum", "minimum"],
    ["exclusiveMaximum", "maximum"],
  ] as const) {
    if (typeof schema[exclusive] !== "boolean") continue;
    if (schema[exclusive]) schema[exclusive] = schema[inclusive];
    else delete schema[exclusive];
    if (schema[exclusive] !== undefined) delete schema[inclusive];
  }
}

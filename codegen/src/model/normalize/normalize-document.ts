import { isDeepStrictEqual } from "node:util";
import { DefinitionNames, isName, stemOf } from "./definition-names.ts";
import { Findings } from "../findings.ts";
import { annotations, knownKeywords } from "../keywords.ts";
import { isMeaningless, reasonOfPattern } from "./meaningless.ts";
import { exclusiveBounds, identifiers } from "./older-drafts.ts";
import { Place } from "../place.ts";
import { isPlainObject, type JsonSchema, type SchemaDocument } from "../schema-document.ts";
import { decodeStep, SchemaResources, type Scope, type Target } from "./schema-resources.ts";
import { schemaLists, schemaMaps, singleSchemas, switches } from "../subschemas.ts";

/** Documents in normal form already: reading one twice reports nothing twice. */
const normal = new WeakSet<object>();

/**
 * Writes a schema in one form, which all that follows reads: definitions in `$defs` under names that TypeScript can
 * have, references to them as `#/$defs/Name`, objects where booleans were, and no annotations of others.
 *
 * - `definitions` is the older name of `$defs`; a schema may have both.
 * - A root that describes values, or that something refers to, becomes a definition named after its title.
 * - What else a reference leads to, by pointer, `$id` or anchor, becomes a definition as well.
 * - Names that TypeScript cannot have are mapped, and reported: `my-type` becomes `MyType`.
 * - Keywords that nobody knows are dropped, and reported; in strict mode only those that begin with `x-`.
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

/** A schema that references lead to, to be written as a definition. */
interface Pending {
  readonly name: string;
  readonly schema: unknown;
  readonly scope: Scope;
}

const references: readonly string[] = ["$ref", "$dynamicRef", "$recursiveRef"];

class Normalizer {
  readonly #document: SchemaDocument;
  readonly #findings: Findings;
  readonly #resources: SchemaResources;
  readonly #schemas = new Map<string, unknown>();
  /** The name of the type of each definition. */
  readonly #names = new Map<string, string>();
  readonly #taken = new DefinitionNames();
  /** The types of what references lead to besides definitions, by the place and the scope that they lead there with. */
  readonly #reached = new Map<string, string>();
  readonly #pending: Pending[] = [];
  #root: string | undefined;

  constructor(document: SchemaDocument, findings: Findings) {
    this.#document = document;
    this.#findings = findings;
    this.#resources = new SchemaResources({ ...document });
    const { $defs, definitions = {} } = document;
    if (findings.strict && Object.keys({ ...$defs, ...definitions, ...document.properties }).length === 0) {
      findings.problems.add(["the document is not an ACP schema: it has no object `$defs`"]);
    }
    for (const [name, schema] of Object.entries($defs ?? {})) this.#schemas.set(name, schema);
    for (const [name, schema] of Object.entries(definitions)) {
      if (this.#schemas.has(name) && !isDeepStrictEqual(this.#schemas.get(name), schema)) {
        this.#refuse(name, "`$defs` and `definitions` describe it differently; rename one of them");
      } else this.#schemas.set(name, schema);
    }
    for (const name of this.#schemas.keys()) {
      // The first of names that differ in case only keeps its own; in strict mode, somebody else refuses the others.
      if (!(findings.strict ? isName(name) : this.#taken.isFree(name))) continue;
      this.#taken.take(name);
      this.#names.set(name, name);
    }
    for (const name of this.#schemas.keys()) if (!this.#names.has(name)) this.#names.set(name, this.#nameFor(name));
    if (this.#isDefinition()) this.#rootName();
  }

  normalize(): SchemaDocument {
    const { $schema } = this.#document;
    const $defs = new Map<string, JsonSchema>();
    for (const [name, schema] of this.#schemas) {
      // A message frame is not read at all.
      const isFrame = isPlainObject(schema) && schema["x-docs-ignore"] === true;
      const mapped = this.#names.get(name) ?? name;
      const scope = this.#resources.scopeOf({ ...this.#resources.root, schema });
      $defs.set(mapped, (isFrame ? schema : this.#schema(schema, this.#place(mapped), scope)) as JsonSchema);
    }
    for (let next = this.#pending.shift(); next !== undefined; next = this.#pending.shift()) {
      $defs.set(next.name, this.#schema(next.schema, this.#place(next.name), next.scope) as JsonSchema);
    }
    const rest = this.#root === undefined ? this.#document : { ...($schema !== undefined && { $schema }) };
    const { definitions: _, ...root } = rest as SchemaDocument;
    return { ...root, $defs: Object.fromEntries($defs) };
  }

  #place(definition: string): Place {
    return new Place(definition, "", { definitions: {}, findings: this.#findings });
  }

  #refuse(definition: string, what: string): void {
    throwIn(this.#findings, this.#place(definition), what);
  }

  /** A name that a TypeScript type can have, for one that it cannot. */
  #nameFor(name: string): string {
    const stem = stemOf(name);
    const mapped = this.#findings.strict ? this.#taken.plain(name) : this.#taken.numbered(name);
    if (mapped === undefined) {
      const reason =
        stem === "" ? "has no letter that a type can be named with" : `its name becomes ${stem}, which is taken`;
      this.#refuse(name, `${reason}; rename the definition, and what refers to it`);
      return name;
    }
    this.#taken.take(mapped);
    this.#place(name).warn(`TypeScript cannot have this name; the type is called ${mapped}`);
    return mapped;
  }

  /** The type of the root, which becomes a definition when something needs it. */
  #rootName(): string {
    if (this.#root !== undefined) return this.#root;
    const { $schema: _, $id: __, $defs: ___, definitions: ____, ...schema } = this.#document;
    const { title } = schema;
    const name = typeof title === "string" ? title : "Root";
    if (this.#taken.isFree(name)) {
      this.#taken.take(name);
      this.#root = name;
    } else this.#root = this.#nameFor(name);
    this.#pending.push({ name: this.#root, schema, scope: this.#resources.scopeOf(this.#resources.root) });
    return this.#root;
  }

  /** Whether the root describes values itself: the root of a protocol only lists its messages. */
  #isDefinition(): boolean {
    const { $defs: _, definitions: __, ...root } = this.#document;
    if (root.properties !== undefined) return true;
    const isProtocol = [...this.#schemas.values()].some((schema) => isPlainObject(schema) && "x-method" in schema);
    if (this.#findings.strict || isProtocol) return refersToRoot(this.#document);
    const said = Object.keys(root).filter((keyword) => knownKeywords.has(keyword) && !annotations.includes(keyword));
    // Beside definitions, that it is an object only says that nobody meant it.
    return this.#schemas.size === 0 || said.some((keyword) => keyword !== "type");
  }

  #schema(schema: unknown, place: Place, outer: Scope): unknown {
    if (schema === true) return {};
    if (schema === false) return { not: {} };
    if (!isPlainObject(schema)) return schema;
    const scope = this.#resources.enter(schema, outer);
    const written: Record<string, unknown> = {};
    const led: unknown[] = [];
    for (const [keyword, value] of Object.entries(schema)) {
      const at = place.at(keyword);
      if (references.includes(keyword) && !(this.#findings.strict && keyword !== "$ref")) {
        led.push(...[this.#reference(keyword, value, place, scope)].filter((name) => name !== undefined));
      } else if (keyword === "discriminator") written[keyword] = this.#discriminator(value, place, scope);
      else if (keyword === "patternProperties" && isPlainObject(value)) {
        written[keyword] = this.#map(this.#patterns(value, at), at, scope);
      } else if (schemaMaps.includes(keyword) && isPlainObject(value)) written[keyword] = this.#map(value, at, scope);
      else if (keyword === "items" && Array.isArray(value)) written["prefixItems"] = this.#list(value, at, scope);
      else if (schemaLists.includes(keyword) && Array.isArray(value)) written[keyword] = this.#list(value, at, scope);
      else if (switches.includes(keyword) && typeof value === "boolean") written[keyword] = value;
      else if (singleSchemas.includes(keyword)) written[keyword] = this.#schema(value, at, scope);
      else if (keyword === "additionalItems") {
        if (Array.isArray(schema["items"])) written["items"] = this.#schema(value, at, scope);
      } else if (keyword === "dependencies" && isPlainObject(value)) this.#dependencies(value, at, scope, written);
      else if (knownKeywords.has(keyword)) {
        if (this.#findings.strict || !isMeaningless(keyword, value, schema, place)) written[keyword] = value;
      } else if (!this.#isIgnored(keyword, place)) written[keyword] = value;
    }
    this.#addReferences(led, written);
    exclusiveBounds(written);
    const { patternProperties } = schema;
    const isMissing =
      Object.keys(Object(written["patternProperties"])).length < Object.keys(Object(patternProperties)).length;
    if (isMissing) for (const name of switches) delete written[name];
    return written;
  }

  /** Whether a keyword that JSON Schema does not have, or that is dealt with, is left out. In strict mode, only notes are. */
  #isIgnored(keyword: string, place: Place): boolean {
    const isNote = keyword.startsWith("x-");
    if (this.#findings.strict && !isNote) return false;
    if (isNote || !identifiers.includes(keyword)) place.warn(`the keyword \`${keyword}\` is unknown and ignored`);
    return true;
  }

  #addReferences([first, ...more]: readonly unknown[], written: Record<string, unknown>): void {
    if (first === undefined) return;
    written["$ref"] = first;
    if (more.length === 0) return;
    const parts = Array.isArray(written["allOf"]) ? written["allOf"] : [];
    written["allOf"] = [...parts, ...more.map(($ref) => ({ $ref }))];
  }

  #map(schemas: Readonly<Record<string, unknown>>, place: Place, scope: Scope): Readonly<Record<string, unknown>> {
    return Object.fromEntries(
      Object.entries(schemas).map(([name, schema]) => [name, this.#schema(schema, place.at(name), scope)]),
    );
  }

  /** The members by pattern without those of no pattern. What they are about, other members may have as well. */
  #patterns(value: Readonly<Record<string, unknown>>, place: Place): Readonly<Record<string, unknown>> {
    if (this.#findings.strict) return value;
    const entries = Object.entries(value).filter(([pattern]) => {
      const reason = reasonOfPattern(pattern);
      if (reason !== undefined) place.warn(`${reason}; it is ignored, and so other members may be anything`);
      return reason === undefined;
    });
    return Object.fromEntries(entries);
  }

  #list(schemas: readonly unknown[], place: Place, scope: Scope): readonly unknown[] {
    return schemas.map((schema, index) => this.#schema(schema, place.at(index), scope));
  }

  /** Draft 7 has one keyword for what later are two. */
  #dependencies(
    value: Readonly<Record<string, unknown>>,
    place: Place,
    scope: Scope,
    written: Record<string, unknown>,
  ): void {
    const entries = Object.entries(value).map(([name, needed]) => [
      name,
      typeof needed === "string" ? [needed] : needed,
    ]);
    const required = entries.filter(([, names]) => Array.isArray(names));
    const schemas = entries.filter(([, schema]) => !Array.isArray(schema));
    if (required.length > 0) written["dependentRequired"] = Object.fromEntries(required);
    if (schemas.length > 0) written["dependentSchemas"] = this.#map(Object.fromEntries(schemas), place, scope);
  }

  /**
   * The reference with the name of a definition; `undefined` for one to another document. In strict mode, one to
   * anything but a definition stays: its reader refuses it.
   */
  #reference(keyword: string, reference: unknown, place: Place, scope: Scope): unknown {
    if (typeof reference !== "string") return reference;
    if (this.#findings.strict) return this.#namedReference(reference, place) ?? reference;
    const found = this.#resources.follow(keyword, reference, scope);
    if (found !== undefined) return `#/$defs/${this.#nameOf(found.target, found.scope)}`;
    const named = this.#namedReference(reference, place);
    if (named !== undefined) return named;
    const target = JSON.stringify(reference);
    if (!this.#resources.has(reference, scope)) {
      const advice = "it may be any value here, unless you move what it refers to into a definition of this document";
      place.warn(`refers to ${target}, which is another document; ${advice}`);
      return undefined;
    }
    const advice = "add what it refers to as a definition, or correct the reference";
    throwIn(this.#findings, place, `refers to ${target}, which is not in this document; ${advice}`);
    return reference;
  }

  /** A reference to a definition by its name, whether there is one or not. */
  #namedReference(reference: string, place: Place): string | undefined {
    if (reference === "#" && this.#root !== undefined) return `#/$defs/${this.#root}`;
    const encoded = /^#\/(?:\$defs|definitions)\/([^/]+)$/.exec(reference)?.[1];
    if (encoded === undefined) return undefined;
    const name = decodeStep(encoded);
    const mapped = this.#names.get(name);
    if (mapped !== undefined) return `#/$defs/${mapped}`;
    if (isName(name)) return reference.replace("#/definitions/", "#/$defs/");
    throwIn(this.#findings, place, `refers to ${name}, which is not defined`);
    return reference;
  }

  /** The type of what a reference leads to: of a definition, or of one that is made for it. */
  #nameOf(target: Target, scope: Scope): string {
    const { steps } = target;
    const isPlain = keyOf(scope) === keyOf(this.#resources.scopeOf(target));
    const [group = "", definition = "", ...deeper] = steps;
    const isDefinition = ["$defs", "definitions"].includes(group) && steps.length === 2 && deeper.length === 0;
    if (isPlain && isDefinition) return this.#names.get(definition) ?? definition;
    if (isPlain && steps.length === 0) return this.#rootName();
    const key = JSON.stringify([steps, keyOf(scope)]);
    const known = this.#reached.get(key);
    if (known !== undefined) return known;
    const names = steps.filter((step) => !knownKeywords.has(step) && !identifiers.includes(step) && step !== "");
    const words = names.length > 0 ? names : steps;
    const name = this.#taken.numbered(words.slice(-3).join(" ") || "Root");
    this.#taken.take(name);
    this.#reached.set(key, name);
    this.#pending.push({ name, schema: target.schema, scope });
    return name;
  }

  #discriminator(discriminator: unknown, place: Place, scope: Scope): unknown {
    if (!isPlainObject(discriminator) || !isPlainObject(discriminator["mapping"])) return discriminator;
    const mapping = Object.entries(discriminator["mapping"]).map(([value, target]) => {
      const name = typeof target === "string" && !target.includes("/") ? `#/$defs/${target}` : target;
      return [value, this.#reference("$ref", name, place.at("discriminator"), scope) ?? target];
    });
    return { ...discriminator, mapping: Object.fromEntries(mapping) };
  }
}

/** What two scopes have in common that lead everywhere to the same. */
function keyOf({ dynamic }: Scope): string {
  return JSON.stringify([...dynamic].map(([name, { steps }]) => [name, ...steps].join("\n")).toSorted());
}

function throwIn(findings: Findings, place: Place, what: string): void {
  findings.problems.collect(() => {
    throw place.unsupported(what);
  });
}

function refersToRoot(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.some(refersToRoot);
  if (!isPlainObject(schema)) return false;
  return schema["$ref"] === "#" || Object.values(schema).some(refersToRoot);
}

import { isPlainObject } from "../schema-document.ts";
import { schemaLists, schemaMaps, singleSchemas } from "../subschemas.ts";

/** A schema in a document. */
export interface Target {
  readonly schema: unknown;
  /** The way to it from the root. */
  readonly steps: readonly string[];
  /** The URI that references inside it start from. */
  readonly base: string;
}

/** The outermost schema of each `$dynamicAnchor` that references have led through. */
type DynamicScope = ReadonlyMap<string, Target>;

/** Where a reference starts. */
export interface Scope {
  readonly base: string;
  readonly dynamic: DynamicScope;
}

/** The name of what `$recursiveAnchor` of draft 2019-09 marks: no `$dynamicAnchor` is called so. */
const recursive = "";

const mapKeywords: readonly string[] = [...schemaMaps, "$defs", "definitions", "dependencies"];
const otherKeywords: readonly string[] = [...singleSchemas, "additionalItems", "contentSchema"];

/** The URI of a document that has none: not one that a reference names. */
const ownUri = "json-schema:///";

/**
 * What references can lead to in one document: any place by its JSON pointer, schemas with an `$id`, and anchors.
 * Knows the `id` of draft 4 as well.
 */
export class SchemaResources {
  readonly #resources = new Map<string, Target>();
  readonly #bases = new WeakMap<object, string>();
  readonly #anchors = new Map<string, Target>();
  readonly #dynamicAnchors = new Map<string, Map<string, Target>>();
  readonly #root: Target;
  readonly #idKeyword: string;
  /** Whether a reference may lead elsewhere on another way to it. */
  #isDynamic = false;

  constructor(document: Readonly<Record<string, unknown>>) {
    const dialect = document["$schema"];
    this.#idKeyword = typeof dialect === "string" && /draft-0[34]\b/.test(dialect) ? "id" : "$id";
    this.#root = { schema: document, steps: [], base: this.#baseOf(document, ownUri) };
    this.#resources.set(ownUri, this.#root);
    this.#index(document, [], ownUri);
  }

  get root(): Target {
    return this.#root;
  }

  /** The scope of a schema that stands inside another one. */
  enter(schema: Readonly<Record<string, unknown>>, { base, dynamic }: Scope): Scope {
    const own = this.#baseOf(schema, base);
    return own === base ? { base, dynamic } : { base: own, dynamic: this.#joined(dynamic, own) };
  }

  /** The scope at a place that nothing has led to yet. */
  scopeOf({ base }: Target): Scope {
    return { base, dynamic: this.#joined(this.#joined(new Map(), this.#root.base), base) };
  }

  /** Where a reference leads, and the scope there; `undefined` if that is not in the document. */
  follow(
    keyword: string,
    reference: string,
    scope: Scope,
  ): { readonly target: Target; readonly scope: Scope } | undefined {
    const found = this.#find(reference, scope.base);
    if (found === undefined) return undefined;
    const name =
      keyword === "$dynamicRef" ? fragmentOf(reference) : keyword === "$recursiveRef" ? recursive : undefined;
    const isMarked = name !== undefined && this.#dynamicAnchors.get(found.base)?.get(name)?.schema === found.schema;
    const target = (isMarked ? scope.dynamic.get(name) : undefined) ?? found;
    return { target, scope: { base: target.base, dynamic: this.#joined(scope.dynamic, target.base) } };
  }

  /** Whether a reference is to this document, even if it leads nowhere in it. */
  has(reference: string, { base }: Scope): boolean {
    const uri = resolveUri(reference.replace(/#.*$/s, ""), base);
    return uri !== undefined && (uri === base || this.#resources.has(uri));
  }

  /** The base of a schema, which counts from the place that it was first found at. */
  #baseOf(schema: Readonly<Record<string, unknown>>, base: string): string {
    const known = this.#bases.get(schema);
    if (known !== undefined) return known;
    const id = schema[this.#idKeyword];
    if (typeof id !== "string" || id.startsWith("#")) return base;
    const own = resolveUri(id.replace(/#.*$/s, ""), base) ?? base;
    this.#bases.set(schema, own);
    return own;
  }

  #find(reference: string, base: string): Target | undefined {
    const uri = resolveUri(reference.replace(/#.*$/s, ""), base);
    const resource = uri === undefined ? undefined : this.#resources.get(uri);
    const fragment = fragmentOf(reference);
    const inside = resource && this.#inside(resource, fragment);
    // Earlier drafts have an `id` in places where it only is a note.
    return inside ?? (reference.startsWith("#") ? this.#inside(this.#root, fragment) : undefined);
  }

  #inside(resource: Target, fragment: string): Target | undefined {
    if (fragment === "") return resource;
    if (!fragment.startsWith("/")) return this.#anchors.get(`${resource.base}#${decodePercent(fragment)}`);
    let { schema, base } = resource;
    const steps = fragment.slice(1).split("/").map(decodeStep);
    for (const step of steps) {
      if (typeof schema !== "object" || schema === null || !Object.hasOwn(schema, step)) return undefined;
      schema = (schema as Readonly<Record<string, unknown>>)[step];
      if (isPlainObject(schema)) base = this.#baseOf(schema, base);
    }
    return { schema, steps: [...resource.steps, ...steps], base };
  }

  #index(schema: unknown, steps: readonly string[], outer: string): void {
    if (!isPlainObject(schema)) return;
    const base = this.#baseOf(schema, outer);
    const target: Target = { schema, steps, base };
    if (base !== outer && !this.#resources.has(base)) this.#resources.set(base, target);
    const { $anchor, $dynamicAnchor, $dynamicRef, $recursiveRef, $recursiveAnchor } = schema;
    const id = schema[this.#idKeyword];
    const anchors = [$anchor, $dynamicAnchor, typeof id === "string" && id.startsWith("#") ? id.slice(1) : undefined];
    for (const anchor of anchors) if (typeof anchor === "string") this.#anchors.set(`${base}#${anchor}`, target);
    const marks = [$dynamicAnchor, $recursiveAnchor === true ? recursive : undefined];
    for (const name of marks.filter((mark) => typeof mark === "string")) {
      const known = this.#dynamicAnchors.get(base) ?? new Map<string, Target>();
      this.#dynamicAnchors.set(base, known.set(name, target));
    }
    if ($dynamicRef !== undefined || $recursiveRef !== undefined) this.#isDynamic = true;
    for (const [keyword, value] of Object.entries(schema)) {
      if (mapKeywords.includes(keyword) && isPlainObject(value)) {
        for (const [name, part] of Object.entries(value)) this.#index(part, [...steps, keyword, name], base);
      } else if ((schemaLists.includes(keyword) || keyword === "items") && Array.isArray(value)) {
        value.forEach((part, index) => this.#index(part, [...steps, keyword, String(index)], base));
      } else if (otherKeywords.includes(keyword)) this.#index(value, [...steps, keyword], base);
    }
  }

  #joined(dynamic: DynamicScope, base: string): DynamicScope {
    const own = this.#isDynamic ? this.#dynamicAnchors.get(base) : undefined;
    return own === undefined ? dynamic : new Map([...own, ...dynamic]);
  }
}

function fragmentOf(reference: string): string {
  const start = reference.indexOf("#");
  return start < 0 ? "" : reference.slice(start + 1);
}

function resolveUri(uri: string, base: string): string | undefined {
  if (uri === "") return base;
  try {
    return new URL(uri, base).href;
  } catch {
    return undefined;
  }
}

/** `a/b` of `a~1b`, RFC 6901 and percent-encoding undone. */
export function decodeStep(text: string): string {
  return decodePercent(text).replaceAll("~1", "/").replaceAll("~0", "~");
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Not encoded: a name may have a percent sign.
    return text;
  }
}

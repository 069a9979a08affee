import { keepNormal } from "../model/normalize/normalize-document.ts";
import { Problems } from "../model/problems.ts";
import type { JsonSchema, SchemaDocument } from "../model/schema-document.ts";
import { anyDefinition, type Entry, fail } from "./parse-prose.ts";
import { mapMembers, type Places, placesOf } from "./places.ts";
import { type Prose, resolveProse } from "./resolve-prose.ts";

/** What {@link mergeProse} may need besides the document and its prose. */
export interface ProseOptions {
  /** Names the prose in errors: `schema/v1/prose.md`. */
  readonly source?: string;
  /**
   * The other documents that share the prose: the unstable schema beside the stable one. Prose about something that
   * neither `document` nor these have is an error.
   */
  readonly alsoIn?: readonly SchemaDocument[];
  /** Prose that sections may start from with `As in v1.`, by that name. */
  readonly bases?: Readonly<Record<string, string>>;
}

/** A document with descriptions, and what has none. */
export interface MergedProse {
  readonly document: SchemaDocument;
  /** `Definition`, `Definition.member`, `Definition.member.inner` and `Definition=value`, by definition. */
  readonly missing: readonly string[];
}

/**
 * Puts our prose into a schema, as `description`s.
 *
 * The prose is Markdown: `## Definition`, paragraphs, then items such as ``- `member`: text`` and ``- `= value`: text``
 * (`Section` in `parse-prose.ts` has the whole grammar).
 *
 * The prose of a member is, in this order: what the section of its definition lists for it, what the section `*` lists
 * for its name, the first paragraph about the definition that its values are of. A member inside one that has no
 * definition of its own is listed by the way to it, as `outer.inner`. The prose of a variant: what the section lists, the
 * first paragraph about its payload. Envelopes (`x-docs-ignore`) and branches for unknown variants have none.
 *
 * @param document A document that `readModel` takes; of any other, what goes wrong is not told.
 * @throws SchemaError with file and line when the prose breaks its grammar, and one that lists all prose about something
 * that no document has.
 */
export function mergeProse(document: SchemaDocument, prose: string, options: ProseOptions = {}): MergedProse {
  const source = options.source ?? "prose";
  const sections = resolveProse(prose, source, options.bases ?? {});
  refuseStrayProse(sections, [document, ...(options.alsoIn ?? [])], source);

  const missing = new Set<string>();
  const definitions = Object.entries(document.$defs).map(([name, schema]) => [
    name,
    schema["x-docs-ignore"] === true ? schema : describeDefinition(name, schema, document, sections, missing),
  ]);
  const described = keepNormal(document, { ...document, $defs: Object.fromEntries(definitions) });
  return { document: described, missing: [...missing] };
}

type Sections = ReadonlyMap<string, Prose>;

function describeDefinition(
  name: string,
  schema: JsonSchema,
  { $defs }: SchemaDocument,
  sections: Sections,
  missing: Set<string>,
): JsonSchema {
  const section = sections.get(name);
  const { values } = placesOf(schema, $defs);
  const describe = (place: string, inner: JsonSchema, text: string | undefined): JsonSchema => {
    if (text === undefined) missing.add(place);
    return text === undefined ? inner : { ...inner, description: text };
  };
  const describeBranch = (branch: JsonSchema): JsonSchema => {
    const value = values.get(branch);
    if (value === undefined) return branch;
    return describe(`${name}=${value}`, branch, section?.values.get(value)?.text ?? aboutReference(branch, sections));
  };
  const described: JsonSchema = {
    ...describe(name, schema, section?.text),
    ...(schema.anyOf === undefined ? {} : { anyOf: schema.anyOf.map(describeBranch) }),
    ...(schema.oneOf === undefined ? {} : { oneOf: schema.oneOf.map(describeBranch) }),
  };
  return mapMembers(described, $defs, (place, member) => {
    const shared = sections.get(anyDefinition)?.members.get(place.slice(place.lastIndexOf(".") + 1));
    const listed = section?.members.get(place) ?? shared;
    return describe(`${name}.${place}`, member, listed?.text ?? aboutReference(member, sections));
  });
}

/** The first paragraph about the definition that a schema stands for, `null` aside; none where it may be something else. */
function aboutReference(schema: JsonSchema, sections: Sections): string | undefined {
  const isNull = ({ type }: JsonSchema): boolean => type === "null";
  const choices = [schema.anyOf, schema.oneOf].map((branches) => branches?.filter((branch) => !isNull(branch)) ?? []);
  if (choices.some((branches) => branches.length > 1)) return undefined;
  const parts = [schema, ...(schema.allOf ?? []), ...choices.flat()];
  const [reference, ...more] = parts.flatMap((part) => (part.$ref === undefined ? [] : [part.$ref]));
  if (reference === undefined || more.length > 0) return undefined;
  return sections.get(reference.replace("#/$defs/", ""))?.text?.split("\n\n")[0];
}

function refuseStrayProse(sections: Sections, documents: readonly SchemaDocument[], source: string): void {
  const problems = new Problems();
  for (const { line, reason } of findStrayProse(sections, documents)) {
    problems.collect(() => fail(source, line, reason));
  }
  problems.throwAll();
}

/** Prose about something that no schema has. */
export interface StrayProse {
  /** Where the section or the item begins. */
  readonly line: number;
  readonly definition: string;
  /** The item of the section; all of the section without it. */
  readonly item?: { readonly list: "members" | "values"; readonly name: string };
  readonly reason: string;
}

/** Finds the sections and items about what none of the documents has. */
export function findStrayProse(
  sections: ReadonlyMap<string, Pick<Prose, "line" | "own">>,
  documents: readonly SchemaDocument[],
): readonly StrayProse[] {
  const everywhere = documents.map(
    ({ $defs }) => new Map(Object.entries($defs).map(([name, schema]) => [name, placesOf(schema, $defs)])),
  );
  const stray: StrayProse[] = [];
  for (const [name, { line, own }] of sections) {
    const places =
      name === anyDefinition
        ? everywhere.flatMap((definitions) => [...definitions.values()])
        : everywhere.flatMap((definitions) => definitions.get(name) ?? []);
    if (places.length === 0) {
      stray.push({ line, definition: name, reason: `the schema has no definition ${name}` });
      continue;
    }
    const addItem = (list: "members" | "values", item: string, { line: at }: Entry, reason: string): void =>
      void stray.push({ line: at, definition: name, item: { list, name: item }, reason });
    for (const [member, entry] of own.members) {
      const isMember = ({ members }: Places): boolean =>
        members.has(member) || (name === anyDefinition && [...members].some((place) => place.endsWith(`.${member}`)));
      if (!places.some(isMember)) addItem("members", member, entry, `${name} has no member ${member}`);
    }
    for (const [value, entry] of own.values) {
      if (!places.some(({ values }) => [...values.values()].includes(value))) {
        addItem("values", value, entry, `${name} has no value or variant ${value}`);
      }
    }
  }
  return stray;
}

import type { DefinitionExample, Examples, MethodExample } from "../../examples/index.ts";
import type { Definition, Method, ProtocolModel } from "../../model/protocol-model.ts";
import { code, slug } from "./markdown.ts";

/** One state of the protocol that has a reference of its own: a version, with or without its unstable part. */
export interface ReferenceOptions {
  /** The folder of its pages: `v1`, `v1-unstable`. */
  readonly folder: string;
  /** Its name in headings: `Version 1`. */
  readonly title: string;
  /** The same version without its unstable part: what is not in there is marked. */
  readonly stable?: ProtocolModel;
  /** Paragraphs to begin with, in Markdown; code spans that name methods and definitions become links. */
  readonly introduction?: string;
  /** What its messages look like; none without. */
  readonly examples?: Pick<Examples, "methods" | "definitions">;
}

/** The pages of a reference. `index.md` is the folder's start. */
export const pageNames = ["index", "methods", "updates", "capabilities", "errors", "types"] as const;

export type PageName = (typeof pageNames)[number];

/** The definition that holds all kinds of session updates. */
const updateUnion = "SessionUpdate";

/** A reference in the making: what is on which page, and how to link to it. */
export class Edition {
  readonly model: ProtocolModel;
  readonly title: string;
  readonly introduction: string;
  readonly #stable: ProtocolModel | undefined;
  readonly #examples: ReferenceOptions["examples"];
  readonly #pages: ReadonlyMap<string, PageName>;

  constructor(model: ProtocolModel, options: ReferenceOptions) {
    this.model = model;
    this.title = options.title;
    this.introduction = (options.introduction ?? "").trim();
    this.#stable = options.stable;
    this.#examples = options.examples;
    this.#pages = assignPages(model);
  }

  /** The definitions of a page in the order of the alphabet, the union of session updates before its members. */
  definitionsOn(page: PageName): readonly Definition[] {
    return [...this.model.definitions.values()]
      .filter(({ name }) => this.#pages.get(name) === page)
      .toSorted((a, b) => Number(b.name === updateUnion) - Number(a.name === updateUnion) || compare(a.name, b.name));
  }

  /** The methods in the order of their names, requests first where one name has both. */
  methods(): readonly Method[] {
    return this.model.methods.toSorted((a, b) => compare(a.name, b.name) || compare(b.kind, a.kind));
  }

  /** A link to a definition, as seen from any page of this reference. */
  linkTo(name: string): string {
    const page = this.#pages.get(name);
    return page === undefined ? code(name) : `[${code(name)}](${page}.md#${slug(name)})`;
  }

  linkToMethod(method: Method): string {
    return `[${code(method.name)}](methods.md#${slug(this.methodHeading(method))})`;
  }

  /** The heading of a method; tells a request from the notification of the same name. */
  methodHeading(method: Method): string {
    const twins = this.model.methods.filter(({ name }) => name === method.name);
    return twins.length === 1 ? method.name : `${method.name} (${method.kind})`;
  }

  examplesOf(method: Method): readonly MethodExample[] {
    return this.#examples?.methods.get(method) ?? [];
  }

  examplesOfDefinition(name: string): readonly DefinitionExample[] {
    return this.#examples?.definitions.get(name) ?? [];
  }

  /** Prose with its code spans turned into links where they name a definition or a method. */
  prose(docs: string | undefined): string {
    return (docs ?? "").replaceAll(/`([^`]+)`/g, (span, text: string) => {
      if (this.#pages.has(text)) return this.linkTo(text);
      const method = this.model.methods.find(({ name }) => name === text);
      return method === undefined ? span : this.linkToMethod(method);
    });
  }

  /** Whether anything here may be marked as unstable. */
  get hasUnstable(): boolean {
    return this.#stable !== undefined;
  }

  isUnstable(name: string): boolean {
    return this.#stable !== undefined && !this.#stable.definitions.has(name);
  }

  isUnstableMember(definition: string, member: string): boolean {
    const shape = this.#stable?.definitions.get(definition)?.shape;
    return shape?.kind === "object" && !shape.members.some(({ name }) => name === member);
  }

  isUnstableVariant(definition: string, value: string): boolean {
    const shape = this.#stable?.definitions.get(definition)?.shape;
    if (shape?.kind !== "object" || shape.union?.kind !== "tagged") return false;
    return !shape.union.variants.some((variant) => variant.value === value);
  }
}

function assignPages(model: ProtocolModel): ReadonlyMap<string, PageName> {
  const messages = new Set(
    model.methods.flatMap(({ params, result }) => (result === undefined ? [params] : [params, result])),
  );
  const updates = new Set([updateUnion, ...payloadsOf(model.definitions.get(updateUnion))]);
  return new Map(
    [...model.definitions.keys()].map((name) => {
      if (messages.has(name)) return [name, "methods"];
      if (updates.has(name)) return [name, "updates"];
      if (name.endsWith("Capabilities")) return [name, "capabilities"];
      if (/^Error(Code)?$|ErrorData$/.test(name)) return [name, "errors"];
      return [name, "types"];
    }),
  );
}

/** The definitions that hold the members of a tagged union's variants. */
function payloadsOf(definition: Definition | undefined): readonly string[] {
  const union = definition?.shape.kind === "object" ? definition.shape.union : undefined;
  return union?.kind === "tagged" ? union.variants.flatMap(({ shape }) => shape.includes) : [];
}

/** By code points, whatever the locale. */
function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

import { SchemaError } from "./schema-document.ts";

/** Where the reader stands: a definition and the path inside it, for error messages. */
export class Place {
  readonly definition: string;
  readonly path: string;

  constructor(definition: string, path = "") {
    this.definition = definition;
    this.path = path;
  }

  /** The place one step further in. */
  at(...steps: readonly (string | number)[]): Place {
    return new Place(this.definition, [this.path, ...steps].join("/"));
  }

  /** The error for a construct that has no counterpart in the model. */
  unsupported(what: string): SchemaError {
    const where = this.path === "" ? "" : ` at ${this.path}`;
    return new SchemaError(`Definition ${this.definition}${where}: ${what}`);
  }

  /** Throws unless every keyword of `schema` is one of `known`. */
  only(schema: Readonly<Record<string, unknown>>, known: readonly string[]): void {
    const unknown = Object.keys(schema).find((keyword) => !known.includes(keyword));
    if (unknown !== undefined) throw this.unsupported(`the keyword \`${unknown}\` is not supported here`);
  }
}

import { Findings, type Surroundings } from "./findings.ts";
import { SchemaError } from "./schema-document.ts";

/** A definition and the path inside it, for error messages. */
export class Place {
  readonly definition: string;
  readonly path: string;
  readonly around: Surroundings;

  constructor(definition: string, path = "", around: Surroundings = { definitions: {}, findings: new Findings() }) {
    this.definition = definition;
    this.path = path;
    this.around = around;
  }

  /** The place one step further in. */
  at(...steps: readonly (string | number)[]): Place {
    return new Place(this.definition, [this.path, ...steps].join("/"), this.around);
  }

  /** The error for a construct that has no counterpart in the model. */
  unsupported(what: string): SchemaError {
    return new SchemaError(`${this.toString()}: ${what}`);
  }

  /** Reports something that is ignored. */
  warn(what: string): void {
    this.around.findings.warn(this.toString(), what);
  }

  /** Returns what `read` returns, or `otherwise` after a SchemaError, which is reported with all others in the end. */
  collect<T>(read: () => T, otherwise: T): T {
    return this.around.findings.problems.collect(read) ?? otherwise;
  }

  /** Throws unless every keyword of `schema` is one of `known`. */
  only(schema: Readonly<Record<string, unknown>>, known: readonly string[]): void {
    const unknown = Object.keys(schema).find((keyword) => !known.includes(keyword));
    if (unknown !== undefined)
      throw this.unsupported(
        `the keyword \`${unknown}\` is not supported here; delete it, or call it \`x-${unknown}\` if it is a note`,
      );
  }

  toString(): string {
    return `Definition ${this.definition}${this.path === "" ? "" : ` at ${this.path}`}`;
  }
}

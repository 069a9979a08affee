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

  /** Refuses something in strict mode, and otherwise reports that it is ignored. */
  tolerate(what: string): void {
    if (this.around.findings.strict) throw this.unsupported(what);
    this.warn(what);
  }

  /** Returns what `read` returns, or `otherwise` after a SchemaError, which is reported with all others in the end. */
  collect<T>(read: () => T, otherwise: T): T {
    return this.around.findings.problems.collect(read) ?? otherwise;
  }

  /** Refuses keywords of `schema` that are not among `known`; says that they are ignored where that is no problem. */
  only(schema: Readonly<Record<string, unknown>>, known: readonly string[]): void {
    for (const keyword of Object.keys(schema)) {
      if (known.includes(keyword)) continue;
      this.tolerate(
        `the keyword \`${keyword}\` is not supported here; delete it, or call it \`x-${keyword}\` if it is a note`,
      );
    }
  }

  toString(): string {
    return `Definition ${this.definition}${this.path === "" ? "" : ` at ${this.path}`}`;
  }
}

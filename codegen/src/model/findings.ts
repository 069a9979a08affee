import { Problems } from "./problems.ts";
import type { JsonSchema } from "./schema-document.ts";

/** What a reader finds on its way through a schema: problems that end the run, and warnings that do not. */
export class Findings {
  readonly problems: Problems = new Problems();
  /** Whether what JSON Schema permits, but hardly means, is a problem and not only a warning. */
  readonly strict: boolean;
  readonly #warnings = new Map<string, { readonly first: string; count: number }>();

  constructor(strict = false) {
    this.strict = strict;
  }

  /** Notes `what` once, with the first place it was found at and the number of the others. */
  warn(place: string, what: string): void {
    const known = this.#warnings.get(what);
    if (known === undefined) this.#warnings.set(what, { first: place, count: 1 });
    else known.count++;
  }

  /** One line per warning, in the order they were found. */
  get warnings(): readonly string[] {
    return [...this.#warnings].map(([what, { first, count }]) => {
      const others = count === 1 ? "" : ` (and in ${count - 1} other ${count === 2 ? "place" : "places"})`;
      return `${first}: ${what}${others}`;
    });
  }
}

/** What a place is part of: the definitions around it, and where its reader reports. */
export interface Surroundings {
  readonly definitions: Readonly<Record<string, JsonSchema>>;
  readonly findings: Findings;
}

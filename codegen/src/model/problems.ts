import { SchemaError } from "./schema-document.ts";

/** Collects errors, so that one run lists them all: if you remove a method, you have many places to mend. */
export class Problems {
  readonly #lines = new Set<string>();

  /** What `read` returns; `undefined` when it threw a SchemaError, which is kept. */
  collect<T>(read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      this.#keep(error);
      return undefined;
    }
  }

  /** The same for what is still to come. */
  async collectFrom<T>(pending: Promise<T>): Promise<T | undefined> {
    try {
      return await pending;
    } catch (error) {
      this.#keep(error);
      return undefined;
    }
  }

  /** Keeps problems that somebody else found, a line each. */
  add(lines: readonly string[]): void {
    for (const line of lines) this.#lines.add(line);
  }

  /** @throws SchemaError with a line for each problem, if there is any. */
  throwAll(): void {
    if (this.#lines.size > 0) throw new SchemaError([...this.#lines].join("\n"));
  }

  #keep(error: unknown): void {
    if (!(error instanceof SchemaError)) throw error;
    // Two schemas share their prose and rules, and so what is wrong with them.
    this.add(error.message.split("\n"));
  }
}

import { isObject } from "@acp/core/internal";

/** Messages of the protocol have no ids below this depth. */
const maxDepth = 32;

/** Ids that differ from those of the recording, such as that of a new session: members whose names end with `Id`. */
export class Renames {
  readonly #ids = new Map<string, string>();

  /** Compares a recorded message with the received one in its place. */
  compare(recorded: unknown, actual: unknown, depth = 0): void {
    if (!isObject(recorded) || !isObject(actual) || depth > maxDepth) return;
    for (const [name, value] of Object.entries(recorded)) {
      const other = actual[name];
      if (!isId(name, value) || typeof other !== "string") this.compare(value, other, depth + 1);
      else if (value !== other) this.#ids.set(value, other);
    }
  }

  /** The current id for a recorded one. */
  currentId(recorded: string): string {
    return this.#ids.get(recorded) ?? recorded;
  }

  /** A recorded value with current ids. */
  apply(value: unknown, depth = 0): unknown {
    if (this.#ids.size === 0 || !isObject(value) || depth > maxDepth) return value;
    if (Array.isArray(value)) return value.map((item) => this.apply(item, depth + 1));
    const members = Object.entries(value).map(([name, member]) => [
      name,
      isId(name, member) ? this.currentId(member) : this.apply(member, depth + 1),
    ]);
    return Object.fromEntries(members);
  }
}

function isId(name: string, value: unknown): value is string {
  return typeof value === "string" && name.endsWith("Id");
}

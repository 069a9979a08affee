import { isObject } from "@acp/core/internal";

/** Deeper there are no ids of the protocol, and whoever goes down has to come back. */
const deepest = 32;

/**
 * The ids that are others than they were when a conversation was recorded, such as that of a session that an agent has
 * opened anew: in members that are called so, `sessionId` for example.
 */
export class Renames {
  readonly #names = new Map<string, string>();

  /** Learns from two messages that mean the same. */
  learn(recorded: unknown, actual: unknown, depth = 0): void {
    if (!isObject(recorded) || !isObject(actual) || depth > deepest) return;
    for (const [name, value] of Object.entries(recorded)) {
      const other = actual[name];
      if (!isId(name, value) || typeof other !== "string") this.learn(value, other, depth + 1);
      else if (value !== other) this.#names.set(value, other);
    }
  }

  /** What is called so in the recording, as it is called now. */
  nameOf(recorded: string): string {
    return this.#names.get(recorded) ?? recorded;
  }

  /** A value of the recording, with ids as they are now. */
  applied(value: unknown, depth = 0): unknown {
    if (this.#names.size === 0 || !isObject(value) || depth > deepest) return value;
    if (Array.isArray(value)) return value.map((item) => this.applied(item, depth + 1));
    const members = Object.entries(value).map(([name, member]) => [
      name,
      isId(name, member) ? this.nameOf(member) : this.applied(member, depth + 1),
    ]);
    return Object.fromEntries(members);
  }
}

function isId(name: string, value: unknown): value is string {
  return typeof value === "string" && name.endsWith("Id");
}

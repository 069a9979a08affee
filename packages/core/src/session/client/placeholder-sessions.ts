import { AbortReason } from "../../base/abort.ts";
import { RequestError } from "../../base/errors.ts";
import { Refusal } from "../../rpc/refusal.ts";

/** How many there may be at once. */
const maxCount = 1000;
/** How long their ids may be together, in characters. */
const maxSize = 1024 * 1024;

/**
 * Sessions that the agent sends requests for before they are open. The agent picks their ids, and may leave the call that
 * opens them unanswered for as long as it likes, so their number is limited.
 */
export class PlaceholderSessions<S extends { end(reason: unknown): void }> {
  readonly #sessions = new Map<string, S>();
  /** The length of all ids, in characters. */
  #size = 0;

  get(id: string): S | undefined {
    return this.#sessions.get(id);
  }

  /** @throws {Refusal} if there are too many. */
  add(id: string, create: () => S): S {
    if (this.#sessions.size >= maxCount || this.#size + id.length > maxSize) {
      const more = `and too many others are asked for that are not open yet: ${this.#sessions.size}`;
      const { wire } = RequestError.resourceNotFound(`There is no such open session, ${more}`);
      throw new Refusal(wire, ["sessionId"], `names no open session, ${more}`);
    }
    const session = create();
    this.#sessions.set(id, session);
    this.#size += id.length;
    return session;
  }

  /** Removes one that opens. */
  take(id: string): S | undefined {
    const session = this.#sessions.get(id);
    if (this.#sessions.delete(id)) this.#size -= id.length;
    return session;
  }

  /** Ends those that will not open. */
  end(
    mayOpen: (id: string) => boolean,
    reason: Error | AbortReason = new AbortReason("The session was not opened"),
  ): void {
    for (const id of this.#sessions.keys()) if (!mayOpen(id)) this.take(id)?.end(reason);
  }
}

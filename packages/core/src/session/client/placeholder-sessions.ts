import { AbortReason } from "../../base/abort.ts";
import { RequestError } from "../../base/errors.ts";
import { Refusal } from "../../rpc/refusal.ts";

/** How many there may be at once. */
const maxCount = 1000;
/** How long their ids may be together, in characters. */
const maxSize = 1024 * 1024;

/** A session that may be open soon, and what the agent has requested for it. */
export interface Placeholder<S> {
  readonly session: S;
  /** The agent has asked the user something in it. */
  hasQuestions: boolean;
  /** The agent has requested something else for it: a file, for example. */
  hasOthers: boolean;
}

/**
 * Sessions that the agent sends requests for before they are open. The agent picks their ids, and may leave the call that
 * opens them unanswered for as long as it likes, so their number is limited.
 */
export class PlaceholderSessions<S extends { end(reason: unknown): void }> {
  readonly #sessions = new Map<string, Placeholder<S>>();
  /** The length of all ids, in characters. */
  #size = 0;

  /** The one with this id, for a request. */
  use(id: string, isQuestion: boolean): S | undefined {
    const placeholder = this.#sessions.get(id);
    if (placeholder === undefined) return undefined;
    if (isQuestion) placeholder.hasQuestions = true;
    else placeholder.hasOthers = true;
    return placeholder.session;
  }

  /** @throws {Refusal} if there are too many. */
  add(id: string, isQuestion: boolean, create: () => S): S {
    if (this.#sessions.size >= maxCount || this.#size + id.length > maxSize) {
      const more = `and too many others are asked for that are not open yet: ${this.#sessions.size}`;
      const { wire } = RequestError.resourceNotFound(`There is no such open session, ${more}`);
      throw new Refusal(wire, ["sessionId"], `names no open session, ${more}`);
    }
    const session = create();
    this.#sessions.set(id, { session, hasQuestions: isQuestion, hasOthers: !isQuestion });
    this.#size += id.length;
    return session;
  }

  /** Those in which the agent has asked something, by id. */
  asking(): readonly (readonly [string, Placeholder<S>])[] {
    return [...this.#sessions].filter(([, { hasQuestions }]) => hasQuestions);
  }

  /** Removes one that opens. */
  take(id: string): S | undefined {
    const session = this.#sessions.get(id)?.session;
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

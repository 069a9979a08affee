import type { OpenSession } from "./open-session.ts";

/**
 * What a handler of an agent gets beside its params. A class, so that its signal is only made when it is
 * asked for: an object with a getter takes ten times as long to make, and longer to free.
 */
export class RunContext {
  readonly client: object;
  readonly session: OpenSession | undefined;
  readonly #owner: { readonly signal: AbortSignal };

  constructor(client: object, session: OpenSession | undefined, owner: { readonly signal: AbortSignal }) {
    this.client = client;
    this.session = session;
    this.#owner = owner;
  }

  get signal(): AbortSignal {
    return this.#owner.signal;
  }
}

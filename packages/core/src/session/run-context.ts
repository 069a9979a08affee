/** What a handler runs for: whose signal it gets. */
export interface SignalOwner {
  readonly signal: AbortSignal;
  /** The id of the request as JSON text; nothing for a notification. */
  readonly id?: string;
}

/**
 * What every handler gets beside its params: a signal; that of a request is made when it is first asked for.
 *
 * The property is the context's own, so that a copy of the context has it, but all contexts share its
 * getter: an object literal with one takes ten times as long to make, and longer to free.
 */
export class RunContext {
  declare readonly signal: AbortSignal;
  readonly #owner: SignalOwner;

  static readonly #lazy: PropertyDescriptor & ThisType<RunContext> = {
    enumerable: true,
    get() {
      return this.#owner.signal;
    },
  };

  protected static ownerOf(context: RunContext): SignalOwner {
    return context.#owner;
  }

  constructor(owner: SignalOwner) {
    this.#owner = owner;
    Object.defineProperty(this, "signal", RunContext.#lazy);
  }
}

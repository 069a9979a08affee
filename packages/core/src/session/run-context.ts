/** The request, turn or connection that a handler runs for. */
export interface SignalOwner {
  readonly signal: AbortSignal;
  /** The id of the request as JSON text; `undefined` for a notification. */
  readonly id?: string;
}

/**
 * The context of every handler. It makes its signal on first use, since most handlers never look at it.
 *
 * The property belongs to each context itself, so that a copy of the context has it. All contexts share its getter, which is
 * far cheaper than an object literal with a getter.
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

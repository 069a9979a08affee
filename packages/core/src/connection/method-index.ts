import type {
  CalledNotification,
  CalledRequest,
  Gate,
  HandledNotification,
  HandledRequest,
  RoleTable,
} from "@acp/schema";

/**
 * A role's table by method name. Maps, not objects: a method may be called `constructor`, and a name that an object
 * does not have takes it ten times as long to miss.
 *
 * Methods that begin with `_` are extensions (EXT-06) and exist without an entry.
 */
export class MethodIndex {
  readonly #handledRequests: ReadonlyMap<string, HandledRequest>;
  readonly #handledNotifications: ReadonlyMap<string, HandledNotification>;
  readonly #calledRequests: ReadonlyMap<string, CalledRequest>;
  readonly #calledNotifications: ReadonlyMap<string, CalledNotification>;
  readonly #variants: ReadonlyMap<string, ReadonlyMap<string, Gate>>;
  readonly #names: ReadonlyMap<string, string>;
  #lastName = "";

  constructor(table: RoleTable) {
    const { handles, calls, variants } = table;
    this.#handledRequests = byName(handles.requests);
    this.#handledNotifications = byName(handles.notifications);
    this.#calledRequests = byName(calls.requests);
    this.#calledNotifications = byName(calls.notifications);
    this.#variants = new Map(Object.entries(variants).map(([union, gates]) => [union, byName(gates)]));
    const names = [...this.#handledRequests.keys(), ...this.#handledNotifications.keys()];
    this.#names = new Map(names.map((name) => [name, name]));
  }

  /**
   * The same name as it stands in the table. A string that was read from JSON is a new one each time,
   * which engines compare and look up at a fraction of the speed of one that stands in the code.
   */
  nameOf(method: string): string {
    if (method !== this.#lastName) this.#lastName = this.#names.get(method) ?? method;
    return this.#lastName;
  }

  handledRequest(method: string): HandledRequest | undefined {
    return this.#handledRequests.get(method);
  }

  handledNotification(method: string): HandledNotification | undefined {
    return this.#handledNotifications.get(method);
  }

  calledRequest(method: string): Partial<CalledRequest> | undefined {
    return this.#calledRequests.get(method);
  }

  calledNotification(method: string): CalledNotification | undefined {
    return this.#calledNotifications.get(method);
  }

  /** What a variant of a union is bound to, if it is. */
  variantGate(union: string, tag: string): Gate | undefined {
    return this.#variants.get(union)?.get(tag);
  }

  /** Whether the params of a method that is called always name a session. */
  isSessionScoped(method: string): boolean {
    return (this.calledRequest(method) ?? this.calledNotification(method))?.sessionScoped === true;
  }

  /** Whether a method exists without an entry, and is read as it is. */
  isOpen(method: string): boolean {
    return method.startsWith("_");
  }

  isUnqueued(method: string): boolean {
    return this.#handledNotifications.get(method)?.unqueued === true;
  }
}

function byName<T>(entries: Readonly<Record<string, T>>): ReadonlyMap<string, T> {
  return new Map(Object.entries(entries));
}

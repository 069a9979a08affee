import type { CalledRequest, HandledNotification, HandledRequest, RoleTable } from "@acp/schema";

/**
 * A role's table by method name. Maps, not objects: a method may be called `constructor`.
 *
 * Methods that begin with `_` are extensions (EXT-06) and exist without an entry.
 */
export class MethodIndex {
  readonly #handledRequests: ReadonlyMap<string, HandledRequest>;
  readonly #handledNotifications: ReadonlyMap<string, HandledNotification>;
  readonly #calledRequests: ReadonlyMap<string, CalledRequest>;

  constructor(table: RoleTable) {
    this.#handledRequests = new Map(Object.entries(table.handles.requests));
    this.#handledNotifications = new Map(Object.entries(table.handles.notifications));
    this.#calledRequests = new Map(Object.entries(table.calls.requests));
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

  /** Whether a method exists without an entry, and is read as it is. */
  isOpen(method: string): boolean {
    return method.startsWith("_");
  }

  isUnqueued(method: string): boolean {
    return this.#handledNotifications.get(method)?.unqueued === true;
  }
}

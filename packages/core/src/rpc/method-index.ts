import type { CalledNotification, CalledRequest, Gate, HandledNotification, HandledRequest } from "@acp/schema";
import type { Role } from "./role.ts";

/**
 * A role's table by method name. Maps, not objects: a method may be called `constructor`, and a name that an object
 * does not have takes it ten times as long to miss.
 *
 * Methods that begin with `_` are extensions (EXT-06) and exist without an entry, as foreign ones do.
 */
export interface MethodIndex {
  /**
   * The same name as it stands in the table. A string that was read from JSON is a new one each time,
   * which engines compare and look up at a fraction of the speed of one that stands in the code.
   */
  nameOf(method: string): string;
  handledRequest(method: string): HandledRequest | undefined;
  handledNotification(method: string): HandledNotification | undefined;
  calledRequest(method: string): Partial<CalledRequest> | undefined;
  calledNotification(method: string): CalledNotification | undefined;
  /** What a variant of a union is bound to, if it is. */
  variantGate(union: string, tag: string): Gate | undefined;
  /** Whether the params of a method that is called always name a session. */
  isSessionScoped(method: string): boolean;
  /** Whether a method exists without an entry, and is read as it is. */
  isOpen(method: string): boolean;
  isUnqueued(method: string): boolean;
}

export function createMethodIndex({
  handles,
  calls,
  variants,
  foreign = [],
}: Pick<Role, "handles" | "calls" | "variants" | "foreign">): MethodIndex {
  const handledRequests = byName(handles.requests);
  const handledNotifications = byName(handles.notifications);
  const calledRequests = byName(calls.requests);
  const calledNotifications = byName(calls.notifications);
  const gates = new Map(Object.entries(variants).map(([union, byTag]) => [union, byName(byTag)]));
  const names = new Map([...handledRequests.keys(), ...handledNotifications.keys()].map((name) => [name, name]));
  let lastName = "";
  return {
    nameOf(method) {
      if (method !== lastName) lastName = names.get(method) ?? method;
      return lastName;
    },
    handledRequest: (method) => handledRequests.get(method),
    handledNotification: (method) => handledNotifications.get(method),
    calledRequest: (method) => calledRequests.get(method),
    calledNotification: (method) => calledNotifications.get(method),
    variantGate: (union, tag) => gates.get(union)?.get(tag),
    isSessionScoped: (method) =>
      (calledRequests.get(method) ?? calledNotifications.get(method))?.sessionScoped === true,
    isOpen: (method) => method.startsWith("_") || foreign.includes(method),
    isUnqueued: (method) => handledNotifications.get(method)?.unqueued === true,
  };
}

function byName<T>(entries: Readonly<Record<string, T>>): ReadonlyMap<string, T> {
  return new Map(Object.entries(entries));
}

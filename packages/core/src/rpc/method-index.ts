import {
  type CalledNotification,
  type CalledRequest,
  type Gate,
  type HandledNotification,
  type HandledRequest,
  own,
  type RoleTable,
} from "@acp/schema";

/** A table of methods. */
export interface Role extends RoleTable {
  /** Methods of other programs that do not start with an underscore, although no protocol has them. */
  readonly foreign?: readonly string[];
}

/**
 * A role's table by method name. It uses maps, since a method may be called `constructor`, and engines are slow to miss a name
 * in an object.
 *
 * Extension methods, which start with `_` (EXT-06), and foreign ones have no entry.
 */
export interface MethodIndex {
  /** Returns the table's own string of a name: engines look it up much faster than one that was parsed from JSON. */
  nameOf(method: string): string;
  handledRequest(method: string): HandledRequest | undefined;
  handledNotification(method: string): HandledNotification | undefined;
  calledRequest(method: string): Partial<CalledRequest> | undefined;
  calledNotification(method: string): CalledNotification | undefined;
  /** The gate of a union's variant, if it has one. */
  variantGate(union: string, tag: string): Gate | undefined;
  /** Whether the params of a called method always name a session. */
  isSessionScoped(method: string): boolean;
  /** Whether a method exists without an entry; its params are not decoded. */
  isOpen(method: string): boolean;
  isUnqueued(method: string): boolean;
}

export function createMethodIndex({
  handles,
  calls,
  variants,
  foreign = [],
}: Omit<Role, "protocolVersion" | "role">): MethodIndex {
  const handledRequests = byName(handles.requests);
  const handledNotifications = byName(handles.notifications);
  const calledRequests = byName(calls.requests);
  const calledNotifications = byName(calls.notifications);
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
    variantGate: (union, tag) => own(variants[union] ?? {}, tag) as Gate | undefined,
    isSessionScoped: (method) =>
      (calledRequests.get(method) ?? calledNotifications.get(method))?.sessionScoped === true,
    isOpen: (method) => method.startsWith("_") || foreign.includes(method),
    isUnqueued: (method) => handledNotifications.get(method)?.unqueued === true,
  };
}

function byName<T>(entries: Readonly<Record<string, T>>): ReadonlyMap<string, T> {
  return new Map(Object.entries(entries));
}

import { createMethodIndex, type MethodIndex } from "@acp/core/internal";

/** What does not wait for the messages of its session that are held up, as the tables have it (CANC-01). */
export const unqueuedMethods: ReadonlySet<string> = new Set(["session/cancel", "$/cancel_request"]);

// The tables of both roles have readers for all methods, which a proxy has no use for.
const none = { requests: {}, notifications: {} };

/** Every method exists, and is read as it is. */
export function createOpenMethodIndex(): MethodIndex {
  return {
    ...createMethodIndex({ handles: none, calls: none, variants: {} }),
    // Whatever the request, its answer does not overtake what came before it.
    calledRequest: () => ({ endsTurn: true }),
    isOpen: () => true,
    isUnqueued: (method) => unqueuedMethods.has(method),
  };
}

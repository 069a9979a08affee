import type { CalledRequest, HandledNotification, HandledRequest, RoleTable } from "@acp/schema";
import { MethodIndex } from "../connection/method-index.ts";

/** A table without a method: those of both roles have readers for all, which a proxy has no use for. */
export function emptyTable(role: "agent" | "client"): RoleTable {
  const none = { requests: {}, notifications: {} };
  return { role, protocolVersion: 0, handles: none, calls: none, variants: {} };
}

/** What does not wait for the messages of its session that are held up, as the tables have it (CANC-01). */
export const unqueuedMethods: ReadonlySet<string> = new Set(["session/cancel", "$/cancel_request"]);

/** Every method exists, and is read as it is. */
export class OpenMethodIndex extends MethodIndex {
  override handledRequest(_method: string): HandledRequest | undefined {
    return undefined;
  }

  override handledNotification(_method: string): HandledNotification | undefined {
    return undefined;
  }

  override calledRequest(): Partial<CalledRequest> {
    // Whatever the request, its answer does not overtake what came before it.
    return { endsTurn: true };
  }

  override isOpen(_method: string): boolean {
    return true;
  }

  override isUnqueued(method: string): boolean {
    return unqueuedMethods.has(method);
  }
}

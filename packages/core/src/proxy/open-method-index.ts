import type { CalledRequest } from "@acp/schema";
import { MethodIndex } from "../connection/method-index.ts";

/** Every method exists, and is read as it is. */
export class OpenMethodIndex extends MethodIndex {
  override handledRequest(): undefined {
    return undefined;
  }

  override handledNotification(): undefined {
    return undefined;
  }

  override calledRequest(): Partial<CalledRequest> {
    // Whatever the request, its answer does not overtake what came before it.
    return { endsTurn: true };
  }

  override isOpen(): boolean {
    return true;
  }

  override isUnqueued(method: string): boolean {
    return method === "$/cancel_request" || super.isUnqueued(method);
  }
}

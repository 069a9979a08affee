import type { HandledNotification, HandledRequest } from "@acp/schema";
import { emptyTable, OpenMethodIndex } from "../proxy/open-method-index.ts";
import {
  decodeNotificationEnvelope,
  decodeRequestEnvelope,
  initializeProxyMethod,
  successorMethod,
} from "./successor-envelope.ts";

/** Whether a method is for a conductor and its proxies alone, and never passed on. */
export function isChainMethod(method: string): boolean {
  return method === successorMethod || method === initializeProxyMethod;
}

/** Every method exists, but of those of a chain only the ones that are spoken on this connection. */
export class ChainMethodIndex extends OpenMethodIndex {
  readonly #spoken: readonly string[];

  constructor(role: "agent" | "client", spoken: readonly string[]) {
    super(emptyTable(role));
    this.#spoken = spoken;
  }

  override handledRequest(method: string): HandledRequest | undefined {
    return this.#carries(method) ? { params: decodeRequestEnvelope } : undefined;
  }

  override handledNotification(method: string): HandledNotification | undefined {
    return this.#carries(method) ? { params: decodeNotificationEnvelope } : undefined;
  }

  override isOpen(method: string): boolean {
    return !isChainMethod(method) || this.#spoken.includes(method);
  }

  #carries(method: string): boolean {
    return method === successorMethod && this.isOpen(method);
  }
}

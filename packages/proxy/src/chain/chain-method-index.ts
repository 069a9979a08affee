import type { MethodIndex } from "@acp/core/internal";
import { createOpenMethodIndex } from "../open-method-index.ts";
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
export function createChainMethodIndex(spoken: readonly string[]): MethodIndex {
  const isOpen = (method: string): boolean => !isChainMethod(method) || spoken.includes(method);
  const carries = (method: string): boolean => method === successorMethod && isOpen(method);
  return {
    ...createOpenMethodIndex(),
    handledRequest: (method) => (carries(method) ? { params: decodeRequestEnvelope } : undefined),
    handledNotification: (method) => (carries(method) ? { params: decodeNotificationEnvelope } : undefined),
    isOpen,
  };
}

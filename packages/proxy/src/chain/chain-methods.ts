import { ErrorCode } from "@acp/core";
import { type MethodIndex, Refusal } from "@acp/core/internal";
import { createOpenMethodIndex } from "../relay.ts";
import {
  decodeNotificationEnvelope,
  decodeRequestEnvelope,
  initializeProxyMethod,
  successorMethod,
} from "./successor-envelope.ts";

/** Whether a method is only for a conductor and its proxies, and never passed on. */
export function isChainMethod(method: string): boolean {
  return method === successorMethod || method === initializeProxyMethod;
}

/** Accepts every method, but only these methods of a chain. */
export function createChainMethodIndex(allowed: readonly string[]): MethodIndex {
  const isOpen = (method: string): boolean => !isChainMethod(method) || allowed.includes(method);
  const isEnvelope = (method: string): boolean => method === successorMethod && isOpen(method);
  return {
    ...createOpenMethodIndex(),
    handledRequest: (method) => (isEnvelope(method) ? { params: decodeRequestEnvelope } : undefined),
    handledNotification: (method) => (isEnvelope(method) ? { params: decodeNotificationEnvelope } : undefined),
    isOpen,
  };
}

/** Refuses a request with `-32600`, and tells a person who started the wrong program. */
export function refuse(message: string): Refusal {
  return new Refusal({ code: ErrorCode.invalidRequest, message }, [], message);
}

/** Refuses a request to a proxy that no conductor has initialized. */
export function refuseUninitialized(method: string): Refusal {
  return refuse(
    method === "initialize"
      ? `This program is a proxy, which a conductor starts with ${initializeProxyMethod}; it cannot be used as an agent`
      : `A conductor begins with ${initializeProxyMethod}, not with ${method}`,
  );
}

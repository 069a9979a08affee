import { isObject } from "@acp/core/internal";

/** A message of JSON-RPC as it came, which may break any rule. */
export interface Message {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** Whether it is a request or a notification, of this method if one is given. */
export function isCall(message: Message, method?: string): boolean {
  return isObject(message) && typeof message.method === "string" && (method === undefined || message.method === method);
}

/** Whether it is a request, which needs an answer. */
export function isRequest(message: Message): boolean {
  return isCall(message) && "id" in message;
}

/** Whether it answers the request with this id. */
export function isAnswer(message: Message, id: unknown): boolean {
  return (
    isObject(message) &&
    message.method === undefined &&
    message.id === id &&
    ("result" in message || "error" in message)
  );
}

/**
 * A member deep inside of a value, for example `at(message, "params", "update", "content", "text")`; `undefined` where there
 * is none.
 */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let found = value;
  for (const member of path) {
    if (typeof found !== "object" || found === null) return undefined;
    found = (found as Readonly<Record<string | number, unknown>>)[member];
  }
  return found;
}

/** The same, if it is a text. */
export function textAt(value: unknown, ...path: readonly (string | number)[]): string | undefined {
  const found = at(value, ...path);
  return typeof found === "string" ? found : undefined;
}

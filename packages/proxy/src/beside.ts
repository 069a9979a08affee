import { isFields } from "@acp/schema";
import { keepRequestId } from "./passed-on.ts";

/** Members of a message beside those that JSON-RPC gives it. */
export type Members = Readonly<Record<string, unknown>>;

/** Params or a result, with what stood beside them. A connection hands it on as it would the value. */
export class Accompanied {
  readonly value: unknown;
  readonly beside: Members;
  /** Where a connection looks for the session that params belong to. */
  readonly sessionId: unknown;

  constructor(value: unknown, beside: Members) {
    this.value = value;
    this.beside = beside;
    this.sessionId = isFields(value) ? value["sessionId"] : undefined;
  }
}

/** What stood beside an error object, which a connection hands on itself. */
const besideErrors = new WeakMap<object, Members>();
/** Messages as they came, by what a connection was given to read. */
const originals = new WeakMap<object, Members>();

/** Parses a message for a connection. What stands beside its params, its result or its error goes along with that. */
export function parseMessage(text: string): unknown {
  const message: unknown = JSON.parse(text);
  if (!isFields(message)) return message;
  if (message["method"] === "$/cancel_request" || message["method"] === "proxy/successor")
    keepRequestId(text, message["params"]);
  const held = message["result"] !== undefined ? "result" : message["error"] !== undefined ? "error" : "params";
  for (const name in message) {
    if (!isOwnOf(held, name)) return withBeside(message, held);
  }
  return message;
}

/** Whether JSON-RPC gives a message with params, a result or an error a member of this name. */
function isOwnOf(held: string, name: string): boolean {
  return name === held || name === "jsonrpc" || name === "id" || (name === "method" && held === "params");
}

function withBeside(message: Members, held: string): Members {
  // A spread copies an own `__proto__` as a plain member.
  const beside: Record<string, unknown> = { ...message };
  for (const name of Object.keys(beside)) if (isOwnOf(held, name)) delete beside[name];
  const value = message[held];
  if (held === "error") {
    if (isFields(value)) besideErrors.set(value, beside);
    return message;
  }
  const read = { ...message, [held]: new Accompanied(value, beside) };
  originals.set(read, message);
  return read;
}

/** A value as it came, and what stood beside it. */
export function separate(value: unknown): { readonly value: unknown; readonly beside: Members | undefined } {
  return value instanceof Accompanied ? value : { value, beside: undefined };
}

/** What stood beside a received error object. */
export function besideError(error: object): Members | undefined {
  return besideErrors.get(error);
}

/** A message that a connection has read, as it came. */
export function asItCame(message: unknown): unknown {
  return isFields(message) ? (originals.get(message) ?? message) : message;
}

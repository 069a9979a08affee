// JSON-RPC names the members of a message. A proxy passes on any others as well, together with the value that they came with.
import { isFields } from "@acp/schema";
import { keepRequestId } from "./forwarded-requests.ts";

/** Members of a message that JSON-RPC does not name. */
export type ExtraMembers = Readonly<Record<string, unknown>>;

/** Params or a result with extra members. The connection passes it on like the value itself. */
export class WithExtra {
  readonly value: unknown;
  readonly extra: ExtraMembers;
  /** The connection looks here for the session of params. */
  readonly sessionId: unknown;

  constructor(value: unknown, extra: ExtraMembers) {
    this.value = value;
    this.extra = extra;
    this.sessionId = isFields(value) ? value["sessionId"] : undefined;
  }
}

/** Extra members of an answer with an error, by its error object. */
const extraOfErrors = new WeakMap<object, ExtraMembers>();
/** Messages as they were received, by what the connection got to read. */
const originals = new WeakMap<object, ExtraMembers>();

/** Parses a message for a connection, and attaches its extra members to the params, the result or the error. */
export function parseMessage(text: string): unknown {
  const message: unknown = JSON.parse(text);
  if (!isFields(message)) return message;
  if (message["method"] === "$/cancel_request" || message["method"] === "proxy/successor")
    keepRequestId(text, message["params"]);
  const payload = message["result"] !== undefined ? "result" : message["error"] !== undefined ? "error" : "params";
  for (const name in message) {
    if (!isNamed(payload, name)) return attachExtra(message, payload);
  }
  return message;
}

/** Whether JSON-RPC names this member in a message with params, a result or an error. */
function isNamed(payload: string, name: string): boolean {
  return name === payload || name === "jsonrpc" || name === "id" || (name === "method" && payload === "params");
}

function attachExtra(message: ExtraMembers, payload: string): ExtraMembers {
  // A spread copies an own `__proto__` as a plain member.
  const extra: Record<string, unknown> = { ...message };
  for (const name of Object.keys(extra)) if (isNamed(payload, name)) delete extra[name];
  const value = message[payload];
  if (payload === "error") {
    if (isFields(value)) extraOfErrors.set(value, extra);
    return message;
  }
  const read = { ...message, [payload]: new WithExtra(value, extra) };
  originals.set(read, message);
  return read;
}

/** Separates a value from its extra members. */
export function splitExtra(value: unknown): { readonly value: unknown; readonly extra: ExtraMembers | undefined } {
  return value instanceof WithExtra ? value : { value, extra: undefined };
}

/** The extra members that a received error object came with. */
export function extraOfError(error: object): ExtraMembers | undefined {
  return extraOfErrors.get(error);
}

/** The message as it was received. */
export function originalOf(message: unknown): unknown {
  return isFields(message) ? (originals.get(message) ?? message) : message;
}

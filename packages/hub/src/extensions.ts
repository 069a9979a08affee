import { RequestError, type Transport } from "@acp/core";
import { attempt, isObject, methodNotFound, rawValue, readSessionId } from "@acp/core/internal";

/** The method as which a handler gets all requests of extensions, whose names nobody knows beforehand. */
export const extensionRequest = "_acp-hub/request";
/** The same for their notifications. */
export const extensionNotification = "_acp-hub/notification";

/** A message of an extension: the params of {@link extensionRequest} and {@link extensionNotification}. */
export interface ExtensionMessage {
  readonly method: string;
  /** As they came. */
  readonly params: unknown;
  /** The session that they name. */
  readonly sessionId?: string | undefined;
}

/** A request of an agent's extension, on its way to a client. */
export interface ExtensionRequest extends Pick<ExtensionMessage, "method" | "params"> {
  /** The one connection that may answer. Default: any. */
  readonly to?: string | undefined;
  /** A connection that need not be asked. */
  readonly except?: string | undefined;
}

/** Has somebody answer a request. Rejects as {@link noSuchMethod} if nobody can. */
export type AnswerExtension = (request: ExtensionRequest, signal: AbortSignal) => Promise<unknown>;

/** What a message of an extension has, as far as one can see without reading it. */
const hint = /"method"\s*:\s*"(?:_|\\u005f)/iu;

/** A transport that receives each message of an extension as one of the two methods above. It sends what it is given. */
export function namingExtensions(transport: Transport): Transport {
  return {
    start: (sink) =>
      transport.start({
        message: (text) => sink.message(renamed(text)),
        issue: (issue) => sink.issue(issue),
        closed: (reason) => sink.closed(reason),
        sendQueueGrew: (waiting) => sink.sendQueueGrew?.(waiting),
      }),
    send: (text, flush, isStringified) => transport.send(text, flush, isStringified),
    pause: () => transport.pause(),
    resume: () => transport.resume(),
    flush: () => transport.flush?.(),
    close: () => transport.close(),
  };
}

function renamed(text: string): string {
  const message = hint.test(text) ? attempt((): unknown => JSON.parse(text)) : undefined;
  if (!isObject(message) || message["jsonrpc"] !== "2.0") return text;
  const { method, params } = message;
  if (typeof method !== "string" || !method.startsWith("_")) return text;
  const inside: ExtensionMessage = { method, params, sessionId: readSessionId(params) };
  const kind = "id" in message ? extensionRequest : extensionNotification;
  // An id stays exactly as it came.
  const id = "id" in message ? `"id":${rawValue(text, ["id"]) ?? "null"},` : "";
  return `{"jsonrpc":"2.0",${id}"method":"${kind}","params":${JSON.stringify(inside)}}`;
}

/** The answer to a request that nobody has a handler for. */
export function noSuchMethod(method: string): RequestError {
  return new RequestError(methodNotFound(method));
}

/** Tries one after another, up to the first that has such a method. */
export async function firstAnswer(method: string, attempts: Iterable<() => Promise<unknown>>): Promise<unknown> {
  for (const answer of attempts) {
    try {
      return await answer();
    } catch (error) {
      if (!(error instanceof RequestError && error.wire.code === -32601)) throw error;
    }
  }
  throw noSuchMethod(method);
}

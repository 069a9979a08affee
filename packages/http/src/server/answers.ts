import { jsonType } from "../wire-names.ts";

/** An answer with an error in words. */
export function refusal(status: number, words: string, headers?: Readonly<Record<string, string>>): Response {
  const body = new TextEncoder().encode(words);
  // The client has the whole answer even while the network connection stays open for the rest of its request.
  const ours = { "Content-Type": "text/plain; charset=utf-8", "Content-Length": String(body.byteLength) };
  return new Response(body, { status, headers: { ...ours, ...headers } });
}

/** An answer with a JSON-RPC message, as text. */
export function jsonAnswer(status: number, text: string, headers?: Readonly<Record<string, string>>): Response {
  return new Response(text, { status, headers: { "Content-Type": jsonType, ...headers } });
}

/** The answer to a message that was accepted. */
export function accepted(): Response {
  return new Response(null, { status: 202 });
}

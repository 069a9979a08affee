import { type Envelope, envelopeOf } from "../envelope.ts";
import { readText } from "../read-body.ts";
import { jsonAnswer, refusal } from "./answers.ts";

/** A message that was posted. */
export interface ReadMessage {
  readonly text: string;
  readonly envelope: Envelope;
}

/** Reads the message of a request, or says why it is refused. */
export async function readMessage(request: Request, limit: number): Promise<ReadMessage | Response> {
  const text = await readBody(request, limit);
  if (text instanceof Response) return text;
  const message = parse(text);
  if (Array.isArray(message)) return batchRefusal();
  const envelope = envelopeOf(message);
  return envelope === undefined
    ? refusal(400, "The body is no JSON-RPC message: expected one JSON object")
    : { text, envelope };
}

/** The answer that JSON-RPC and the official SDK have for a batch. */
function batchRefusal(): Response {
  const error = { code: -32600, message: "Batches are not part of the protocol: post one message at a time" };
  return jsonAnswer(400, JSON.stringify({ jsonrpc: "2.0", id: null, error }));
}

/** The body of a request as text, or why it is refused. */
async function readBody(request: Request, limit: number): Promise<string | Response> {
  try {
    const isTooLarge = Number(request.headers.get("Content-Length") ?? 0) > limit;
    if (isTooLarge) request.body?.cancel().catch(() => {});
    const decoder = new TextDecoder("utf-8", { fatal: true });
    const text = isTooLarge ? undefined : await readText(request.body, limit, decoder);
    return text ?? refusal(413, `The message is larger than ${limit} bytes (maxMessageBytes)`);
  } catch {
    return refusal(400, "The body is not UTF-8, or was broken off");
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

import { membersOf, parsed } from "../snippet.ts";
import type { Texts } from "../texts.ts";
import type { Trace } from "../trace.ts";

/** A message as a session sees it. */
export interface Step {
  readonly kind: "request" | "notification" | "result" | "error";
  /** Its method; for an answer that of the request. */
  readonly method: string;
  /** Its own, or those of the request that it answers. */
  readonly params: unknown;
  /** The result, or the error. */
  readonly body: unknown;
  /** Of the request, with the side that sent it. */
  readonly id: string;
  readonly isOfAgent: boolean;
  readonly turn: number;
}

/** Reads a message, and the request that it answers; `undefined` for what is no message. */
export async function stepOf(message: number, trace: Trace, texts: Texts): Promise<Step | undefined> {
  const kind = trace.kindOf(message);
  if (kind === "noise") return undefined;
  const read = async (at: number): Promise<unknown> => parsed(texts.peek(at) ?? (await texts.text(at)));
  const { method, params, result, error } = membersOf(await read(message));
  const isOfAgent = trace.isOfAgent(message);
  const about = { kind, isOfAgent, id: `${isOfAgent} ${trace.id[message]}`, turn: trace.turn[message] ?? 0 };
  if (kind === "request" || kind === "notification")
    return typeof method === "string" ? { ...about, method, params, body: undefined } : undefined;
  const request = trace.partner[message] ?? -1;
  if (request < 0) return undefined;
  const asked = membersOf(await read(request));
  const id = `${trace.isOfAgent(request)} ${trace.id[request]}`;
  return typeof asked["method"] === "string"
    ? { ...about, id, method: asked["method"], params: asked["params"], body: kind === "result" ? result : error }
    : undefined;
}

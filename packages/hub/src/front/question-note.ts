import { isObject } from "@acp/core/internal";

import type { OpenAsk } from "../journal/session-facts.ts";

/** The update that shows a question to somebody who may not answer it. */
export function questionNote({ id, method, params }: OpenAsk): {
  readonly sessionUpdate: "session_info_update";
  readonly _meta: { readonly [name: string]: unknown };
} {
  const { sessionId: _, ...shown } = isObject(params) ? params : {};
  // What a URL opens may be worth as much as the answer.
  const question = { id, method, ...(shown["mode"] !== "url" && { params: shown }) };
  return { sessionUpdate: "session_info_update", _meta: { "acp-hub": { question } } };
}

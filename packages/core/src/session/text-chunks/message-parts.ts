// The parts of a text chunk's message around its strings, with the members in the order of the schema.
export const beforeTag = ',"update":{"sessionUpdate":';
export const beforeText = ',"content":{"type":"text","text":';
export const beforeMessage = '},"messageId":';
export const endOfText = "}}}}";
export const endOfMessage = "}}}";

/** Writes everything before the id of the session. */
export function writeBeforeSession(method: string): string {
  return `{"jsonrpc":"2.0","method":"${method}","params":{"sessionId":`;
}

/** The updates that are chunks. They need no capability, so every client accepts them. */
export const chunkTags: readonly string[] = ["agent_message_chunk", "agent_thought_chunk", "user_message_chunk"];

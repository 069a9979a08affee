// Of a message with a chunk of text: what stands around its strings when the members are in the order of the schema.
export const beforeSession = '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":';
export const beforeTag = ',"update":{"sessionUpdate":';
export const beforeText = ',"content":{"type":"text","text":';
export const beforeMessage = '},"messageId":';
export const endOfText = "}}}}";
export const endOfMessage = "}}}";

/** The updates that are chunks. Every client takes them: nothing has to be advertised for them. */
export const chunkTags: readonly string[] = ["agent_message_chunk", "agent_thought_chunk", "user_message_chunk"];

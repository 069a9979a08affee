/** Of a message with a chunk of text: what stands around its strings when the members are in the order of the schema. */
export const chunkMessage = {
  beforeSession: '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":',
  beforeTag: ',"update":{"sessionUpdate":',
  beforeText: ',"content":{"type":"text","text":',
  beforeMessage: '},"messageId":',
  end: "}}}}",
  endOfMessage: "}}}",
} as const;

/** The updates that are chunks. Every client takes them: nothing has to be advertised for them. */
export const chunkTags: readonly string[] = ["agent_message_chunk", "agent_thought_chunk", "user_message_chunk"];

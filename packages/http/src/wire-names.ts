// The names that the transport's proposal gives to things on the wire. Names of headers are compared without case.

/** Names the connection, from the answer to `initialize` on. */
export const connectionHeader = "Acp-Connection-Id";
/** Names the session that a message, or a stream, belongs to. */
export const sessionHeader = "Acp-Session-Id";

/** Whether a session of this id can be named: a header holds no more than Latin-1, and no blanks around it. */
export function canBeNamed(sessionId: string): boolean {
  return /^[ -~\x80-\xff]*$/.test(sessionId) && !/^ | $/.test(sessionId);
}

export const jsonType = "application/json";
export const eventStreamType = "text/event-stream";

/** The type in a `Content-Type`, without its parameters. */
export function mediaType(contentType: string | null): string {
  return contentType?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

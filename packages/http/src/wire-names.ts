/** The header that names the connection, from the answer to `initialize` on. */
export const connectionHeader = "Acp-Connection-Id";
/** The header that names the session of a message or a stream. */
export const sessionHeader = "Acp-Session-Id";

/** Whether a header can contain this id: only Latin-1, without spaces at its ends. */
export function fitsHeader(sessionId: string): boolean {
  return /^[ -~\x80-\xff]*$/.test(sessionId) && !/^ | $/.test(sessionId);
}

/**
 * Numbers the messages that a client posts. A server that answers `initialize` with it takes each number once, so that the
 * client can repeat a POST that had no answer, and it resumes the streams that are opened with {@link lastEventHeader}. A second
 * number is the lowest that has no answer yet. The proposal does not have it.
 */
export const numberHeader = "Acp-Message-Number";
/** The last event that the client has of the stream that it opens. The events of such a stream have ids. */
export const lastEventHeader = "Last-Event-ID";
/** The last events that the client has received, with any request: the server need not keep them any longer. */
export const receivedHeader = "Acp-Received";

export const jsonType = "application/json";
export const eventStreamType = "text/event-stream";

/** The type in a `Content-Type`, without its parameters. */
export function mediaType(contentType: string | null): string {
  return contentType?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

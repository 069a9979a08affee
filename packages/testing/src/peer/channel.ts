import { type BytePipe, ConnectionClosedError, type Transport } from "@acp/core";
import { requireObject } from "@acp/core/internal";
import { findShapeIssue, type Framing, ndjson } from "@acp/framing";

/** What a {@link Peer} writes to and reads from. */
export interface Channel {
  /** Starts to read. Called once. */
  start(sink: ChannelSink): void;
  /** Sends a message. */
  send(text: string): void;
  /** Writes bytes as they are, which need not be a message. */
  write(bytes: Uint8Array): void;
  /** Closes it. */
  close(): Promise<void>;
}

/** Receives what a {@link Channel} delivers. */
export interface ChannelSink {
  /** The text of a message. */
  message(text: string): void;
  /** What is no message, in words. */
  issue(issue: string): void;
  /** Nothing more will come. */
  closed(reason?: Error): void;
}

/** Messages over bytes, in a framing. */
export function pipeChannel(pipe: BytePipe, framing: Framing = ndjson): Channel {
  requireObject(pipe, "pipeChannel() takes a byte pipe", "start", "write");
  let isClosed = false;
  return {
    start(sink) {
      const decoder = framing.createDecoder({
        message: (text) => {
          const issue = findShapeIssue(text);
          if (issue === undefined) sink.message(text);
          else sink.issue(issue.message);
        },
        issue: ({ message }) => sink.issue(message),
      });
      pipe.start({
        data: (chunk) => decoder.push(chunk),
        closed: (reason) => {
          decoder.end();
          sink.closed(reason);
        },
      });
    },
    send: (text) => {
      if (!isClosed) unlessEnded(() => void pipe.write(framing.encode([text], { isChecked: true })));
    },
    write: (bytes) => {
      if (!isClosed) unlessEnded(() => void pipe.write(bytes));
    },
    close: () => {
      isClosed = true;
      return pipe.close();
    },
  };
}

/** Messages over a transport, which has no bytes: what is written as bytes is sent line by line. */
export function transportChannel(transport: Transport): Channel {
  requireObject(transport, "transportChannel() takes a transport", "start", "send");
  let isOpen = true;
  const send = (text: string): void => {
    if (isOpen) unlessEnded(() => void transport.send(text, "soon"));
  };
  return {
    start: (sink) =>
      transport.start({
        message: (text) => sink.message(text),
        issue: ({ message }) => sink.issue(message),
        closed: (reason) => {
          isOpen = false;
          sink.closed(reason);
        },
      }),
    send,
    write: (bytes) => {
      for (const line of new TextDecoder().decode(bytes).split("\n")) if (line !== "") send(line);
    },
    close: () => {
      isOpen = false;
      return transport.close();
    },
  };
}

/** Writes, unless the connection has ended by now: then it is lost, as on any pipe. */
function unlessEnded(write: () => void): void {
  try {
    write();
  } catch (error) {
    if (!(error instanceof ConnectionClosedError)) throw error;
  }
}

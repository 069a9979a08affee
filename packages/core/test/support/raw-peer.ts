import { createMemoryTransportPair } from "../../src/transport/memory-transport.ts";
import type { Transport } from "../../src/transport/transport.ts";

type Message = Record<string, unknown>;

/** The other end of a connection, written and read by hand. */
export interface RawPeer {
  /** All that arrived so far. */
  readonly received: readonly Message[];
  /** Whether the connection was closed from the other side. */
  readonly closed: boolean;
  /** Sends text as it is, or a value as JSON. */
  send(message: string | object): void;
  /** Sends a request under a new id and waits for its answer. */
  call(method: string, params?: unknown): Promise<Message>;
  /** Waits for the next message that fits, or that has come already and was not waited for. */
  next(fits: (message: Message) => boolean): Promise<Message>;
  /** Waits until everything on the way has arrived. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

/** Connects the other end to `connect`. */
export function createRawPeer(connect: (transport: Transport) => unknown): RawPeer {
  const [own, theirs] = createMemoryTransportPair();
  const received: Message[] = [];
  const waiters: { fits: (message: Message) => boolean; resolve: (message: Message) => void }[] = [];
  let seen = 0;
  let ids = 100;
  let closed = false;
  own.start({
    message: (text) => {
      const message = JSON.parse(text) as Message;
      received.push(message);
      const index = waiters.findIndex(({ fits }) => fits(message));
      if (index >= 0) waiters.splice(index, 1)[0]?.resolve(message);
    },
    issue: () => {},
    closed: () => {
      closed = true;
    },
  });
  connect(theirs);
  const next = (fits: (message: Message) => boolean): Promise<Message> => {
    const index = received.findIndex((message, at) => at >= seen && fits(message));
    if (index >= 0) {
      seen = index + 1;
      return Promise.resolve(received[index] as Message);
    }
    return new Promise((resolve) => {
      waiters.push({
        fits,
        resolve: (message) => {
          seen = received.indexOf(message) + 1;
          resolve(message);
        },
      });
    });
  };
  const send = (message: string | object): void => {
    void own.send(typeof message === "string" ? message : JSON.stringify(message), "soon");
  };
  return {
    received,
    get closed() {
      return closed;
    },
    send,
    call: (method, params) => {
      const id = ++ids;
      send({ jsonrpc: "2.0", id, method, params });
      return next((message) => message["id"] === id && message["method"] === undefined);
    },
    next,
    settle: async () => {
      for (let i = 0; i < 5; i++) await new Promise((resolve) => setTimeout(resolve, 1));
    },
    close: () => own.close(),
  };
}

import type { Transport } from "@acp/core";
import { createRawPeer, type RawPeer } from "../../../core/test/support/raw-peer.ts";
import type { ChainComponent } from "../../src/chain/index.ts";

/** A component that is played by hand. */
export interface RawComponent extends ChainComponent {
  readonly peer: RawPeer;
}

export function rawComponent(name?: string): RawComponent {
  let transport: Transport | undefined;
  const peer = createRawPeer((theirs) => (transport = theirs));
  return {
    name,
    peer,
    connect: () => {
      if (transport === undefined) throw new Error("There is no transport");
      return transport;
    },
  };
}

/** This end of a transport, written and read by hand. */
export function rawEnd(transport: Transport): RawPeer {
  return createRawPeer((theirs) => {
    const relay = (from: Transport, to: Transport): void =>
      from.start({
        message: (text) => void to.send(text, "soon"),
        issue: () => {},
        closed: () => void to.close(),
      });
    relay(transport, theirs);
    relay(theirs, transport);
  });
}

/** Whether a message is a request or notification of this method. */
export function isCall(method: string): (message: Record<string, unknown>) => boolean {
  return (message) => message["method"] === method;
}

/** Whether a message is an answer to this id. */
export function isAnswer(id: unknown): (message: Record<string, unknown>) => boolean {
  return (message) => message["method"] === undefined && message["id"] === id;
}

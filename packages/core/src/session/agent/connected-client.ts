import type { ClientDetails } from "./agent-options.ts";

/** The client of a connection, as far as it is known: before `initialize` it has said nothing. */
export class ConnectedClient {
  details: ClientDetails = { capabilities: {}, info: undefined, meta: {} };
  /** The calls to it and its details, for handlers that run in no session. */
  peer: object = {};
  /** While `initialize` is being answered: settles when it is. */
  initializing: Promise<void> | undefined;
  isInitialized = false;
  /** A request other than `initialize` was admitted. */
  hasAsked = false;

  markInitialized(): void {
    this.isInitialized = true;
    this.initializing = undefined;
  }
}

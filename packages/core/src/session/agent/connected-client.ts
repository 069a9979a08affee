import type { ClientDetails } from "./agent-options.ts";

/** The client of a connection. Before `initialize`, its details are empty. */
export class ConnectedClient {
  details: ClientDetails = { capabilities: {}, info: undefined, meta: {} };
  /** The client as seen by handlers without a session: its methods and details. */
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

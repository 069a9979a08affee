/** A hub has as many connections as it may have. `createHttpServer` answers with its status and message. */
export class HubFullError extends Error {
  override readonly name = "HubFullError";
  readonly status = 503;
  /** The message may be told to clients. */
  readonly expose = true;

  constructor(most: number) {
    super(`The hub has ${most} connections, which is all there may be (connections): close one, or try again later`);
  }
}

/** Options of every transport in this package except the one in memory. */
export interface TransportOptions {
  /** Largest message in either direction, in bytes of UTF-8. Default: 64 MiB (67,108,864). */
  readonly maxMessageBytes?: number | undefined;
  /**
   * Called with every message, secrets included: when it is queued to be sent, and when it was received. What it throws becomes
   * an uncaught error of the program and changes nothing on the connection.
   */
  readonly onTraffic?: ((direction: "sent" | "received", text: string) => void) | undefined;
}

/** Shows a message to `onTraffic`. */
export function watch(
  onTraffic: NonNullable<TransportOptions["onTraffic"]>,
  direction: "sent" | "received",
  text: string,
): void {
  try {
    onTraffic(direction, text);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}

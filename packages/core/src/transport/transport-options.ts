/** What every transport of this package that leaves the process takes. */
export interface TransportOptions {
  /** Largest message in either direction, in bytes of UTF-8. Default: 64 MiB (67,108,864). */
  readonly maxMessageBytes?: number;
  /**
   * Sees every message, secrets included: when it is queued to be sent, and when it has come in.
   * What it throws becomes an uncaught error and changes nothing here.
   */
  readonly onTraffic?: (direction: "sent" | "received", text: string) => void;
}

/** Shows a message to `onTraffic`. */
export function watch(
  onTraffic: (direction: "sent" | "received", text: string) => void,
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

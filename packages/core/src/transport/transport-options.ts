import type { ShapeLimits } from "@acp/framing";

/** Options of every transport in this package except the memory transport. */
export interface TransportOptions {
  /** The maximum size of a message in either direction, in bytes of UTF-8. Default: 64 MiB (67,108,864). */
  readonly maxMessageBytes?: number | undefined;
  /**
   * Called with every message, including secrets: when it is queued for sending, and when it is received. If it throws,
   * the error becomes an uncaught error of the program; the connection is not affected.
   */
  readonly onTraffic?: ((direction: "sent" | "received", text: string) => void) | undefined;
}

/**
 * Options of transports over a network or to a page, where the sender may not be trusted. A large message with extreme
 * nesting or branching would block the program while it is parsed. Above 1 Mi UTF-16 code units, such a message is
 * discarded unparsed: its request fails with `-32600`, and a `framing` diagnostic names the limit.
 */
export interface TextTransportOptions extends TransportOptions, ShapeLimits {}

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

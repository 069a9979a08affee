import type { ShapeLimits } from "@acp/framing";

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

/**
 * Options of transports over a network or to a page: whoever sends need not be trusted. A received message that is nested or
 * branched out of all proportion would block the program while it is parsed: above 1 Mi UTF-16 code units it is discarded
 * unparsed, its request is answered `-32600`, and a diagnostic of type `framing` names the limit.
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

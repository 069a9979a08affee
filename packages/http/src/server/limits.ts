import { UsageError } from "@acp/core";
import { checkLimit } from "@acp/core/internal";
import { defaultMaxMessageBytes } from "@acp/framing";

/** What a server holds for its clients, and for how long. */
export interface HttpServerLimits {
  /** Connections at a time; one more is answered with 503. Default: 1,000. */
  readonly maxConnections?: number | undefined;
  /** Largest message in either direction, in bytes of UTF-8; a larger one is answered with 413. Default: 64 MiB (67,108,864). */
  readonly maxMessageBytes?: number | undefined;
  /**
   * How much of one connection may wait in each direction, in UTF-16 code units: for a client that does not read, and for an
   * agent that is behind. What the client sends beyond it is answered with 503. What the agent sends beyond it ends the
   * connection, unless it is a single message; an agent that awaits what it sends does not get there. Not for WebSockets.
   * Default: 64 Mi (67,108,864).
   */
  readonly maxBufferedUnits?: number | undefined;
  /**
   * How long a connection may be without any request or stream before it is ended, and how long `initialize` may take, in
   * milliseconds; `Infinity` for ever. Not for WebSockets. Default: 300,000, which is 5 minutes.
   */
  readonly idleTimeout?: number | undefined;
  /**
   * How long a client may take nothing of what waits for it before its connection is ended, in milliseconds, once more waits
   * than agents are let send (256 Ki UTF-16 code units); `Infinity` for ever. Not for WebSockets. Default: 60,000.
   */
  readonly stallTimeout?: number | undefined;
}

/** The limits, each with its default. */
export type Limits = { readonly [Name in keyof HttpServerLimits]-?: number };

/** @throws {UsageError} for what cannot be a limit. */
export function limitsFrom(options: HttpServerLimits): Limits {
  const limits: Limits = {
    maxConnections: options.maxConnections ?? 1000,
    maxMessageBytes: options.maxMessageBytes ?? defaultMaxMessageBytes,
    maxBufferedUnits: options.maxBufferedUnits ?? 64 * 1024 * 1024,
    idleTimeout: options.idleTimeout ?? 300_000,
    stallTimeout: options.stallTimeout ?? 60_000,
  };
  checkLimit("idleTimeout", limits.idleTimeout);
  checkLimit("stallTimeout", limits.stallTimeout);
  for (const name of ["maxConnections", "maxMessageBytes", "maxBufferedUnits"] as const) {
    if (!(typeof limits[name] === "number" && limits[name] >= 1))
      throw new UsageError(`${name} is ${String(limits[name])}; expected a number from 1 on`);
  }
  return limits;
}

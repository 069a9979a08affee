export {
  AcpError,
  CapabilityError,
  ConnectionClosedError,
  ErrorCode,
  ProcessExitError,
  ProtocolError,
  RequestError,
  TimeoutError,
  UsageError,
  type WireError,
} from "./errors.ts";
export type { BytePipe, BytePipeSink } from "./transport/byte-pipe.ts";
export { type ByteTransportOptions, createByteTransport } from "./transport/byte-transport.ts";
export { createMemoryTransportPair } from "./transport/memory-transport.ts";
export type { Transport, TransportSink } from "./transport/transport.ts";
export {
  createStreamTransport,
  createWebStreamPipe,
  type ReadableBytes,
  type WebStreams,
} from "./transport/web-stream-pipe.ts";

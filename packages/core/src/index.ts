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
export { createMemoryTransportPair } from "./transport/memory-transport.ts";
export type { Transport, TransportSink } from "./transport/transport.ts";

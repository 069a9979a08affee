/// <reference lib="esnext.disposable" preserve="true" />
// The exports that the entries of all versions share.
export type { Diagnostic, DiagnosticListener } from "../base/diagnostics.ts";
export {
  AcpError,
  CapabilityError,
  ConnectionClosedError,
  ErrorCode,
  type FailedProcess,
  MessageTooLargeError,
  ProcessExitError,
  ProtocolError,
  RequestError,
  TimeoutError,
  UnreadUpdatesError,
  UsageError,
  type WireError,
} from "../base/errors.ts";
export type { SessionClaim } from "./client/public-members.ts";
export type { StallOptions } from "./client/stall-watch.ts";
export type { UnreadUpdatesOptions } from "./client/updates/unread-updates.ts";
export { asReceived } from "../rpc/as-received.ts";
export type { IncomingLimits } from "../rpc/incoming-limits.ts";
export { contentLength, type Framing, type FramingIssue, ndjson } from "@acp/framing";
export type { BytePipe, BytePipeSink } from "../transport/byte-pipe.ts";
export { type ByteTransportOptions, createByteTransport } from "../transport/byte-transport.ts";
export { createMemoryTransportPair } from "../transport/memory-transport.ts";
export { createMessagePortTransport, type MessagePortLike } from "../transport/message-port-transport.ts";
export type { TextTransportOptions, TransportOptions } from "../transport/transport-options.ts";
export type { MessageValidator } from "../transport/message-validator.ts";
export type { Transport, TransportSink } from "../transport/transport.ts";
export {
  createStreamTransport,
  createWebStreamPipe,
  type ReadableBytes,
  type WebStreams,
} from "../transport/web-stream-pipe.ts";
export { createWebSocketTransport, type WebSocketTransportOptions } from "../transport/web-socket-transport.ts";
export type { WebSocketLike } from "../transport/web-socket/web-socket-channel.ts";
export { extend, notification, type Protocol, request } from "../rpc/extend.ts";
export type { Awaitable, NotificationMethod, ParamsOf, ReceivedResultOf, RequestMethod } from "../rpc/methods.ts";
export type { MetaOptions, Peer, RequestOptions, SessionPeer } from "../rpc/peer.ts";
export {
  isAbsolutePath,
  type Notification as ExtensionNotification,
  type Request as ExtensionRequest,
} from "@acp/schema";

/// <reference lib="esnext.disposable" preserve="true" />
export type { Diagnostic, DiagnosticListener } from "./diagnostics.ts";
export {
  AcpError,
  CapabilityError,
  ConnectionClosedError,
  ErrorCode,
  MessageTooLargeError,
  ProcessExitError,
  ProtocolError,
  RequestError,
  TimeoutError,
  UsageError,
  type WireError,
} from "./errors.ts";
export { asReceived } from "./connection/as-received.ts";
export { contentLength, type Framing, type FramingIssue, ndjson } from "@acp/framing";
export type { BytePipe, BytePipeSink } from "./transport/byte-pipe.ts";
export { type ByteTransportOptions, createByteTransport } from "./transport/byte-transport.ts";
export { createMemoryTransportPair } from "./transport/memory-transport.ts";
export { createMessagePortTransport, type MessagePortLike } from "./transport/message-port-transport.ts";
export type { TransportOptions } from "./transport/transport-options.ts";
export type { MessageValidator } from "./transport/message-validator.ts";
export type { Transport, TransportSink } from "./transport/transport.ts";
export {
  createStreamTransport,
  createWebStreamPipe,
  type ReadableBytes,
  type WebStreams,
} from "./transport/web-stream-pipe.ts";
export { createWebSocketTransport, type WebSocketLike } from "./transport/web-socket-transport.ts";
export { extend, notification, type Protocol, request } from "./protocol/extend.ts";
export type { Awaitable, NotificationMethod, ParamsOf, ReceivedResultOf, RequestMethod } from "./protocol/methods.ts";
export type { MetaOptions, Peer, RequestOptions, SessionPeer } from "./protocol/peer.ts";
export { v1 } from "./protocol/v1.ts";
export {
  type AgentConnection,
  type AgentDefinition,
  type AgentOptions,
  createAgent,
  createAgentFor,
} from "./v1/agent.ts";
export type {
  AgentContext,
  AgentHandlers,
  AgentMaybeSessionContext,
  AgentRequestContext,
  AgentSessionContext,
  AgentTurnContext,
  ClientDetails,
} from "./v1/agent-handlers.ts";
export type { AgentSession, SessionSetup } from "./v1/agent-session.ts";
export type {
  AgentTurn,
  NewToolCall,
  PermissionOption,
  PermissionOutcome,
  ReportedToolCall,
  Text,
  ToolCallChange,
  ToolOutput,
} from "./v1/agent-turn.ts";
export {
  isAbsolutePath,
  type Notification as ExtensionNotification,
  type Request as ExtensionRequest,
} from "@acp/schema";
export type { OverlappingPrompts } from "./v1/agent-sessions.ts";
export type { GateMode } from "./v1/call-rules.ts";
export {
  type ClientDefinition,
  type ClientOptions,
  type ConnectOptions,
  createClient,
  createClientFor,
} from "./v1/client.ts";
export type { ChooseLogin, LoginRequest } from "./v1/client-login.ts";
export type { ClientContext, ClientHandlers, ClientSessionContext } from "./v1/client-handlers.ts";
export type { ClientSession, Prompt } from "./v1/client-session.ts";
export type { PromptOptions, Turn } from "./v1/client-turn.ts";
export type { ConnectedAgent, InitializedAgent, SessionForks } from "./v1/connected-agent.ts";
export type { PromptResponseOf, ReceivedUpdateOf } from "./v1/vocabulary.ts";

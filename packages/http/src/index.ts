/**
 * Agents on other machines: Streamable HTTP, which is a draft of the protocol, and the server's side of WebSockets. The
 * client's side of a WebSocket is `createWebSocketTransport` of `@acp/core`.
 *
 * @module
 */
export { type CookieJar, createCookieJar } from "./client/cookie-jar.ts";
export { createHttpTransport, type HttpTransportOptions } from "./client/http-transport.ts";
export { HttpError } from "./http-error.ts";
export {
  createHttpServer,
  type HttpServer,
  type HttpServerOptions,
  type WebSocketUpgrade,
} from "./server/http-server.ts";
export type { HttpServerLimits } from "./server/limits.ts";

/**
 * Agents on other machines: Streamable HTTP, which is a draft of the protocol, and the server's side of WebSockets. The
 * client's side of a WebSocket is `createWebSocketTransport` of `@acp/core`.
 *
 * @module
 */
export { type CookieJar, createCookieJar } from "./client/cookie-jar.ts";
export { createHttpTransport } from "./client/http-transport.ts";
export type { HttpTransportOptions } from "./client/requester.ts";
export { HttpError } from "./http-error.ts";
export { createHttpServer, type HttpServer } from "./server/http-server.ts";
export type { HttpServerLimits, HttpServerOptions, WebSocketUpgrade } from "./server/options.ts";

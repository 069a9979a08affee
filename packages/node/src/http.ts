/**
 * Runs a server of `@acp/http` on Node.js with `node:http`, and with the package `ws` for WebSockets.
 *
 * @module
 */
export { nodeHttpHandler, type WebHandler } from "./http/node-http-handler.ts";
export { nodeUpgradeHandler, type WebSocketServerLike } from "./http/node-upgrade-handler.ts";

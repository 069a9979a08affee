/**
 * Serves a server of `@acp/http` on Bun: over HTTP and WebSockets.
 *
 * @module
 */
export { bunHttpHandlers, type BunHttpHandlers } from "./http/bun-http-handlers.ts";

/**
 * Serves a server of `@acp/http` on Deno: over HTTP and WebSockets.
 *
 * @module
 */
export { denoHttpHandler } from "./http/deno-http-handler.ts";

/**
 * A proxy between a client and an agent. It passes on what it does not know.
 *
 * @module
 */
export { createProxy, type Intercept, type ProxyContext, type ProxyOptions } from "./proxy.ts";
export type { ProxyPeer } from "./proxy-peer.ts";
export type { Forward, ProxyMessage } from "./relay-end.ts";

/**
 * Stands between a client and an agent, and passes on what it has never heard of.
 *
 * @module
 */
export { createProxy, type Intercept, type ProxyContext, type ProxyOptions } from "./proxy.ts";
export type { ProxyPeer } from "./proxy-peer.ts";
export type { Forward, ProxyMessage } from "./relay-end.ts";

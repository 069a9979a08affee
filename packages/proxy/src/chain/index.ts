/**
 * Chains of proxies, unstable: the conductor that runs one, and the proxies that it is made of.
 *
 * @module
 */
export type { Forward, ProxyMessage } from "../relay-end.ts";
export {
  type ChainIntercept,
  type ChainProxyContext,
  type ChainProxyOptions,
  createChainProxy,
} from "./chain-proxy.ts";
export type { ProxyPeer } from "../proxy-peer.ts";
export { createConductor } from "./conductor.ts";
export type { ChainComponent, ConductorOptions } from "./running-chain.ts";

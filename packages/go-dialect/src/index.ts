/**
 * Peers of another wire dialect of ACP: the design of a Go package with the same four methods, but other names and shapes.
 *
 * @module
 */
export { acceptGoDialect, type AcceptGoDialectOptions, withGoClients } from "./accept.ts";
export { speakGoDialect, type SpeakGoDialectOptions, withGoAgents } from "./speak.ts";

/**
 * Peers of another wire dialect of ACP: the one of a Go package that was designed beside the official
 * protocol. It has the same four methods, with other names and shapes inside.
 *
 * @module
 */
export { acceptGoDialect, type AcceptGoDialectOptions, withGoClients } from "./accept.ts";
export { speakGoDialect, type SpeakGoDialectOptions, withGoAgents } from "./speak.ts";

export * from "./decoding/index.ts";
export type * from "./protocol.ts";
// For generated tables.
export { flagGate, objectGate } from "./protocol.ts";

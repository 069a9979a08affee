export * from "./decoding/index.ts";
export { concerns, describeGate, isGateOpen, isSupported, unadvertised, valueAt } from "./gates.ts";
export { type FindMisfits, isAbsolutePath, type Misfit, type ValueKind } from "./misfits.ts";
export type * from "./protocol.ts";
// For generated tables.
export { flagGate, objectGate } from "./protocol.ts";
export { isRelative, misfitsIn } from "./misfits.ts";

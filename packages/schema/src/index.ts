export * from "./decoding/index.ts";
export { concerns, describeGate, isGateOpen, isSupported, unadvertised, valueAt } from "./gates.ts";
export { type ArgumentCheck, isAbsolutePath, type InvalidArgument, type ValueKind } from "./argument-checks.ts";
export type * from "./protocol.ts";
// For generated tables.
export { flagGate, objectGate } from "./protocol.ts";
export { isRelative, checkPlaces } from "./argument-checks.ts";

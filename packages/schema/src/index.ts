export * from "./decoding/index.ts";
export { concerns, describeGate, isGateOpen, isSupported, unadvertised } from "./gates.ts";
export { valueAt } from "./value-at.ts";
export { type ArgumentCheck, isAbsolutePath, type InvalidArgument, type ValueKind } from "./argument-checks.ts";
export { findSentProblems, type SentMembers, type SentProblem, type SentShape } from "./sent-shapes.ts";
export type * from "./protocol.ts";
// For generated tables.
export { flagGate, inSession, objectGate } from "./protocol.ts";
export { isRelative } from "./argument-checks.ts";
export { checkPlaces, sent, sentCommand, sentLine, sentPath } from "./sent-shapes.ts";

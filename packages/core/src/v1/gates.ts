export { concerns, describeGate, findClosed, isGateOpen, isSupported, unadvertised, valueAt } from "@acp/schema";

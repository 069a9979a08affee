export { concerns, describeGate, isGateOpen, isSupported, unadvertised, valueAt } from "@acp/schema";

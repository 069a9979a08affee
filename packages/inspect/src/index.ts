/**
 * Inspects the messages between an editor and an agent, and reports what is wrong with them: for tests, and for
 * recordings. The program `acp-inspect` runs between the two.
 *
 * @module
 */
export type { Finding, InspectedMessage, Side, Unanswered } from "./inspected.ts";
export { createInspector, type Inspector, type InspectorOptions } from "./inspector.ts";
export { inspectRecording, type InspectedRecording } from "./inspect-recording.ts";

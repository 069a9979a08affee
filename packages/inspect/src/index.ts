/**
 * Looks at what an editor and an agent say to each other, and tells what is wrong with it: for tests, and for recordings.
 * The program `acp-inspect` stands between the two.
 *
 * @module
 */
export type { Finding, InspectedMessage, Side, Unanswered } from "./inspected.ts";
export { createInspector, type Inspector, type InspectorOptions } from "./inspector.ts";
export { inspectRecording, type InspectedRecording } from "./inspect-recording.ts";

/**
 * Recordings of what goes over the wire, without credentials: to find out what went wrong, to replay it,
 * and to infer types from (`acp-codegen infer`).
 *
 * @module
 */
export { parseRecording } from "./parse-recording.ts";
export {
  type RecordedMessage,
  type RecordOptions,
  type RecordSink,
  recordTraffic,
  recordTransport,
} from "./record-transport.ts";
export { redactCredentials, redactLine, redactVariable } from "./redact/redact.ts";
export { createRedactor, type Redactor } from "./redact/redactor.ts";
export { createReplayTransport, type ReplayOptions } from "./replay-transport.ts";

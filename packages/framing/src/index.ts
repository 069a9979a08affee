export { contentLength } from "./content-length.ts";
export type {
  CheckOptions,
  EncodeOptions,
  FrameDecoder,
  FrameSink,
  Framing,
  FramingIssue,
  FramingOptions,
} from "./framing.ts";
export { assertMessageSize, defaultMaxMessageBytes } from "./limits.ts";
export { MessageTooLargeError } from "./message-too-large-error.ts";
export { ndjson } from "./ndjson.ts";

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
export { assertMessageSize, defaultMaxMessageBytes, MessageTooLargeError } from "./limits.ts";
export { ndjson } from "./ndjson.ts";

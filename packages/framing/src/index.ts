export { contentLength } from "./content-length.ts";
export type {
  CheckOptions,
  EncodeOptions,
  FrameDecoder,
  FrameSink,
  Framing,
  FramingIssue,
  FramingOptions,
  ShapeLimits,
} from "./framing.ts";
export { excerptOfText } from "./excerpt.ts";
export { assertMessageSize, defaultMaxMessageBytes, MessageTooLargeError } from "./limits.ts";
export { findShapeIssue } from "./message-shape.ts";
export { ndjson } from "./ndjson.ts";

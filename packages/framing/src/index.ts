export type { FrameDecoder, FrameSink, Framing, FramingIssue, FramingOptions } from "./framing.ts";

/**
 * W3C trace context in `_meta`, where the protocol has a place for it (EXT-04, EXT-05): so that a span in
 * the client and the spans it causes in the agent become one trace.
 *
 * @module
 */
export { childTrace, startTrace } from "./trace-context.ts";
export { type Meta, readTrace, type Trace, withTrace } from "./trace-meta.ts";
export { formatTraceparent, parseTraceparent, type SpanContext } from "./traceparent.ts";

/**
 * W3C trace context in `_meta`, where the protocol reserves keys for it (EXT-04, EXT-05): a span in the client and the
 * spans that it causes in the agent become one trace.
 *
 * @module
 */
import { UsageError } from "../../base/errors.ts";
import { formatTraceparent, isBaggage, isTracestate, parseTraceparent, type SpanContext } from "./w3c.ts";
import { requireObject } from "../../base/require-argument.ts";

export { formatTraceparent, parseTraceparent, type SpanContext } from "./w3c.ts";

/** Custom data of a message: the value of `_meta`. */
export type Meta = { readonly [key: string]: unknown };

/** Trace context in `_meta`, under its reserved keys (EXT-04). */
export interface Trace {
  /** `00-<trace id>-<span id>-<flags>`. */
  readonly traceparent: string;
  /** Data of tracing systems: `vendor=value,other=value`. */
  readonly tracestate?: string | undefined;
  /** Data of the application: `key=value,other=value`, values percent-encoded. */
  readonly baggage?: string | undefined;
}

/**
 * Starts a trace with random ids.
 *
 * @param options `sampled`: whether the trace is recorded. Default: `true`.
 */
export function startTrace(options?: { readonly sampled?: boolean | undefined }): Trace & SpanContext {
  return traceOf({ traceId: randomHex(16), spanId: randomHex(8), sampled: options?.sampled ?? true });
}

/**
 * Returns the context of a span inside `parent`: the same trace, `tracestate` and `baggage`, with a new span id.
 * Without a valid parent, it starts a new trace.
 */
export function childTrace(parent: Trace | undefined): Trace & SpanContext {
  const span = parseTraceparent(parent?.traceparent);
  if (span === undefined || parent === undefined) return startTrace();
  const { tracestate, baggage } = parent;
  return {
    ...traceOf({ ...span, spanId: randomHex(8) }),
    ...(tracestate === undefined ? {} : { tracestate }),
    ...(baggage === undefined ? {} : { baggage }),
  };
}

function traceOf(span: SpanContext): Trace & SpanContext {
  return { ...span, traceparent: formatTraceparent(span) };
}

/** Random bytes as hexadecimal digits, never all 0. */
function randomHex(bytes: number): string {
  const random = crypto.getRandomValues(new Uint8Array(bytes));
  // All zeros mean that there is no id.
  if (random.every((byte) => byte === 0)) random[0] = 1;
  return Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Returns a copy of `meta` (by default an empty object) with this trace context: `session.prompt(text, { _meta:
 * withTrace(trace) })`. It replaces any trace context in `meta`.
 *
 * @throws {UsageError} a member of `trace` does not have the W3C format.
 */
export function withTrace(trace: Trace, meta?: Meta | null): Meta {
  const { traceparent: _, tracestate: __, baggage: ___, ...others } = meta ?? {};
  requireObject(trace, "withTrace() takes a trace first");
  const { traceparent, tracestate, baggage } = trace;
  if (parseTraceparent(traceparent) === undefined) throw malformed("traceparent");
  if (tracestate != null && !isTracestate(tracestate)) throw malformed("tracestate");
  if (baggage != null && !isBaggage(baggage)) throw malformed("baggage");
  return {
    ...others,
    traceparent,
    ...(tracestate == null ? {} : { tracestate }),
    ...(baggage == null ? {} : { baggage }),
  };
}

/**
 * Reads the trace context of a message, with the parts of its `traceparent`; `undefined` if there is no valid one. An
 * invalid `tracestate` or `baggage` is left out. Never throws.
 */
export function readTrace(meta: Meta | null | undefined): (Trace & SpanContext) | undefined {
  if (typeof meta !== "object" || meta === null) return undefined;
  const { traceparent, tracestate, baggage } = meta;
  const span = parseTraceparent(traceparent);
  if (span === undefined || typeof traceparent !== "string") return undefined;
  return {
    ...span,
    traceparent,
    ...(isTracestate(tracestate) ? { tracestate } : {}),
    ...(isBaggage(baggage) ? { baggage } : {}),
  };
}

function malformed(member: string): UsageError {
  return new UsageError(`The ${member} of a trace is not of the form that W3C gives it`);
}

import type { Trace } from "./trace-meta.ts";
import { formatTraceparent, parseTraceparent, type SpanContext } from "./traceparent.ts";

/**
 * Begins a trace, with random ids.
 *
 * @param options `sampled`: whether it is being recorded. Default: `true`.
 */
export function startTrace(options?: { readonly sampled?: boolean | undefined }): Trace & SpanContext {
  return traceOf({ traceId: randomHex(16), spanId: randomHex(8), sampled: options?.sampled ?? true });
}

/**
 * The context of a span inside the given one: the same trace, with a new span id, and with the same `tracestate` and
 * `baggage`. Without a valid parent a new trace begins.
 */
export function childTrace(parent: Trace | undefined): Trace & SpanContext {
  const span = parseTraceparent(parent?.traceparent);
  if (span === undefined || parent === undefined) return startTrace();
  return {
    ...traceOf({ ...span, spanId: randomHex(8) }),
    ...(parent.tracestate === undefined ? {} : { tracestate: parent.tracestate }),
    ...(parent.baggage === undefined ? {} : { baggage: parent.baggage }),
  };
}

function traceOf(span: SpanContext): Trace & SpanContext {
  return { ...span, traceparent: formatTraceparent(span) };
}

/** Random bytes as hexadecimal digits, never all 0. */
function randomHex(bytes: number): string {
  const made = crypto.getRandomValues(new Uint8Array(bytes));
  // All zeros mean that there is no id; so rarely does that come up that any other value will do.
  if (made.every((byte) => byte === 0)) made[0] = 1;
  return Array.from(made, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

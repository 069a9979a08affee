import { UsageError } from "../../base/errors.ts";
import { isBaggage, isTracestate } from "./header-lists.ts";
import { parseTraceparent, type SpanContext } from "./traceparent.ts";

/** Custom data of a message: what goes into `_meta`. */
export type Meta = { readonly [key: string]: unknown };

/** Trace context as it stands in `_meta`, under the names that are reserved for it (EXT-04). */
export interface Trace {
  /** `00-<trace id>-<span id>-<flags>`. */
  readonly traceparent: string;
  /** What tracing systems add: `vendor=value,other=value`. */
  readonly tracestate?: string | undefined;
  /** What the application adds: `key=value,other=value`, values percent-encoded. */
  readonly baggage?: string | undefined;
}

/**
 * A copy of `meta` (by default an empty object) with this trace context in it:
 * `session.prompt(text, { _meta: withTrace(trace) })`. A trace context that `meta` has already is replaced.
 *
 * @throws {UsageError} if a member of `trace` does not have the format of W3C.
 */
export function withTrace(trace: Trace, meta?: Meta | null): Meta {
  const { traceparent: _, tracestate: __, baggage: ___, ...others } = meta ?? {};
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
 * Reads the trace context of a message, with its `traceparent` taken apart; `undefined` if it has none that is valid. A
 * `tracestate` or `baggage` that is not valid is left out. Never throws.
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

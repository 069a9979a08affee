/** A place in a trace: which trace, which span in it, and whether it is being recorded. */
export interface SpanContext {
  /** 32 lower-case hexadecimal digits, not all of them 0. */
  readonly traceId: string;
  /** 16 lower-case hexadecimal digits, not all of them 0. */
  readonly spanId: string;
  /** Whether the caller may have recorded its span. */
  readonly sampled: boolean;
}

/** Version, trace, span, flags; a version above 00 may have more behind them. */
const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Reads a `traceparent` (W3C Trace Context, §3.2); `undefined` if it is not one. Never throws. */
export function parseTraceparent(value: unknown): SpanContext | undefined {
  const match = typeof value === "string" ? form.exec(value) : null;
  if (match === null) return undefined;
  const [, version = "", traceId = "", spanId = "", flags = "", more] = match;
  // ff is no version, and version 00 has nothing behind its flags.
  if (version === "ff" || (version === "00" && more !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** Writes a `traceparent` of version 00. */
export function formatTraceparent({ traceId, spanId, sampled }: SpanContext): string {
  return `00-${traceId}-${spanId}-${sampled ? "01" : "00"}`;
}
